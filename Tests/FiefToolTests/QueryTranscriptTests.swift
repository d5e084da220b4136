import Fief
import FiefConsole
import Foundation
import Testing

/// The output of queries, word for word.
@Suite("Transcripts: queries", .timeLimit(.minutes(20))) struct QueryTranscriptTests {
  @Test("A table, the number of objects, and whether there are more") func table() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("query", store, "Dog", "name == 'Rex'", "-c", "name,breed,age")
      #expect(run.errors == "")
      #expect(run.status == .done)
      #expect(
        run.output == """
          name  breed  age
          Rex   Pug    3

          1 object

          """
      )
      let first = ToolRun("query", store, "Dog", "SORT(name)", "-c", "name", "-n", "2")
      #expect(first.lines.count == 4)
      #expect(first.lines.last == "the first 2 objects; --limit 0 shows all, --count counts them")
      let all = ToolRun("query", store, "Dog", "", "-n", "0")
      #expect(all.lines.last == "5 objects")
      let none = ToolRun("query", store, "Dog", "FALSEPREDICATE", "-c", "name")
      #expect(none.output == "name\n\n0 objects\n")
    }
  }

  @Test("JSON lines, CSV and the number are for other programs") func forPrograms() throws {
    try ToolStores.with("pets") { store in
      let json = ToolRun("query", store, "Dog", "name == 'Rex'", "--json", "-c", "name,age")
      #expect(json.output == #"{"name":"Rex","age":3}"# + "\n")
      let csv = ToolRun("query", store, "Dog", "name == 'Rex'", "--csv", "-c", "name,age")
      #expect(csv.output == "name,age\nRex,3\n")
      #expect(ToolRun("query", store, "Dog", "", "--count").output == "5\n")
      #expect(ToolRun("query", store, "Dog", "", "--count", "--json").output == "{\"count\":5}\n")
      #expect(ToolRun("query", store, "Dog", "LIMIT(2)", "--count").output == "2\n")
      // All objects are those of an export, in the same form.
      let exported = ToolRun("export", store, "Dog").lines.sorted()
      #expect(ToolRun("query", store, "Dog", "", "--json").lines.sorted() == exported)
      #expect(exported.count == 5)
    }
  }

  @Test("A literal and an argument with a fraction find the same decimals") func decimals() throws {
    try ToolStores.with("payments") { store in
      func count(_ words: String...) -> String {
        ToolRun(["query", store, "Product"] + words + ["--count"]).output
      }
      for price in ["3.49", "6.99", "0.0000000001"] {
        #expect(count("price == \(price)") == "1\n")
        #expect(count("price == %@", price) == "1\n")
        #expect(count("price != \(price)") == "4\n")
        #expect(count("price IN {\(price), 7.5}") == "1\n")
      }
    }
  }

  @Test("Options that say different things are refused, rather than that one wins") func options() throws {
    try ToolStores.with("pets") { store in
      for pair in [
        ["--csv", "--json"], ["--count", "--explain"], ["--count", "--csv"], ["--explain", "--csv"],
        ["--count", "--columns"], ["--explain", "--limit"], ["--count", "--limit"],
      ] {
        let words = pair.flatMap { $0 == "--columns" ? [$0, "name"] : $0 == "--limit" ? [$0, "2"] : [$0] }
        let run = ToolRun(["query", store, "Dog", ""] + words)
        #expect(run.status == .usage, "\(pair)")
        let message = pair[1] == "--json" ? run.output : run.errors
        #expect(message.contains("'\(pair[0])' and '\(pair[1])' cannot be combined."), "\(pair): \(message)")
      }
      #expect(ToolRun("query", store, "Dog", "", "--count", "--json").output == "{\"count\":5}\n")
      #expect(ToolRun("query", store, "Dog", "", "--explain", "--json").status == .done)
      #expect(ToolRun("list", store, "Dog", "--csv", "--json").status == .usage)
    }
  }

  @Test("A table has twenty objects, lines have all of them") func manyObjects() throws {
    try ToolStores.withDirectory { directory in
      let path = try ToolStores.copy("pets", to: directory)
      let writer = try DynamicStore(directory: path, isReadOnly: false)
      try writer.write { transaction in
        for number in 0..<60 {
          try transaction.put(
            "Dog",
            [
              "id": "F1EF0000-0000-4000-8000-1000000000\(10 + number)", "name": "Dog \(number)",
              "age": number,
            ]
          )
        }
      }
      writer.close()
      let text = "name BEGINSWITH 'Dog' SORT(age)"
      let names = (0..<60).map { #"{"name":"Dog \#($0)"}"# }
      func run(_ words: String...) -> ToolRun { ToolRun(["query", path, "Dog", text] + words) }
      #expect(run("--json", "-c", "name").lines == names)
      #expect(run("--json", "-c", "name", "-n", "0").lines == names)
      #expect(run("--json", "-c", "name", "-n", "25").lines == Array(names[..<25]))
      #expect(run("--csv", "-c", "name").lines == ["name"] + (0..<60).map { "Dog \($0)" })
      #expect(run("--csv", "-c", "name", "-n", "21").lines.count == 22)
      let table = run("-c", "name")
      // The heading, the objects and the number.
      #expect(table.lines.count == 22)
      #expect(table.lines.last == "the first 20 objects; --limit 0 shows all, --count counts them")
      #expect(run("-c", "name", "-n", "0").lines.last == "60 objects")
      #expect(run("--count").output == "60\n")
      let last = ToolRun("query", path, "Dog", text + " OFFSET(50) LIMIT(20)", "--json", "-c", "name")
      #expect(last.lines == Array(names[50...]))
    }
  }

  @Test("An argument is what the property is that it meets, or what its form says") func arguments() throws {
    try ToolStores.with("pets") { store in
      func names(_ text: String, _ arguments: String...) -> String {
        let run = ToolRun(["query", store, "Dog", text, "--json", "-c", "name", "--"] + arguments)
        return run.status == .done ? run.output : run.errors
      }
      let rex = #"{"name":"Rex"}"# + "\n"
      #expect(names("name == %@", "Rex") == rex)
      #expect(names("name == %@ AND age == %@", "Rex", "3") == rex)
      #expect(names("name == $0 AND age == $1", "'Rex'", "int:3") == rex)
      #expect(names("name == 'Rex' AND age IN %@", "{3, 4}") == rex)
      #expect(names("id == %@", "F1EF0000-0000-4000-8000-00000000000B") == rex)
      #expect(names("id == %@", "uuid:F1EF0000-0000-4000-8000-00000000000B") == rex)
      #expect(names("name == %@", "x' OR TRUEPREDICATE OR name == '") == "")
      #expect(names("%K == %@", "name", "Rex") == rex)
      #expect(names("age IN %@", "3").contains("IN needs a list of values."))
      #expect(names("age > %@", "three").contains("The argument is not a value of the property's type."))
      #expect(names("age > %@", "int:three").contains("The argument does not match its form."))
      #expect(names("age > %@").contains("The text uses an argument that was not passed."))
      #expect(names("age > 3", "4").contains("There are more arguments than the text uses."))
    }
  }

  @Test("Links and lists are followed without the classes") func links() throws {
    try ToolStores.with("pets") { store in
      let owner = ToolRun("query", store, "Person", "ANY dogs.name == 'Rex'", "--json", "-c", "id")
      #expect(owner.output == #"{"id":"F1EF0000-0000-4000-8000-000000000001"}"# + "\n")
      let link = ToolRun(
        ["query", store, "Person", "%@ IN dogs", "F1EF0000-0000-4000-8000-00000000000B", "--count"]
      )
      #expect(link.output == "1\n")
    }
  }

  @Test("explain says how the objects would be found") func explain() throws {
    try ToolStores.with("pets") { store in
      let scan = ToolRun("query", store, "Dog", "age > 2 SORT(age) LIMIT(1)", "--explain")
      #expect(scan.status == .done)
      #expect(
        scan.output == """
          age > 2 SORT(age ASC) LIMIT(1)
          Dog: all objects
            looks at about 5 of 5
            checks age > 2
            sorts, and keeps the first 1

          """
      )
      let key = try ToolRun(
        "query",
        store,
        "Dog",
        "id == 'F1EF0000-0000-4000-8000-00000000000B'",
        "--explain",
        "--json"
      ).json()
      #expect((key["access"] as? String)?.hasPrefix("primary key = ") == true)
      #expect(key["estimatedRows"] as? Int == 1)
      #expect(key["totalRows"] as? Int == 5)
      #expect(key["order"] as? String == "found")
    }
  }

  @Test("A mistake in the text is shown with its place") func mistakes() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("query", store, "Dog", "age > AND name == 'Rex'")
      #expect(run.status == .usage)
      #expect(run.output == "")
      #expect(
        run.errors == """
          fief: The text of the query does not follow the grammar. 'fief query --help' explains the syntax of
            the text.
            type: Dog
            - at: line 1, column 7, byte 6
            - found: 'AND'
            - expected: a property, a value, an argument, a function or '('
              age > AND name == 'Rex'
                    ^

          """
      )
      let name = ToolRun("query", store, "Dog", "agee > 3")
      #expect(name.status == .usage)
      #expect(name.errors.contains("The type has no such property."))
      #expect(name.errors.contains("    agee > 3\n    ^\n"))
      let kinds = ToolRun("query", store, "Dog", "name > 3")
      #expect(kinds.status == .usage)
      #expect(kinds.errors.contains("name"))
      let json = ToolRun("query", store, "Dog", "age >", "--json")
      #expect(json.status == .usage)
      let line = try #require(json.errors.split(separator: "\n").first)
      let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let error = try #require(document?["error"] as? [String: Any])
      #expect(error["code"] as? String == "malformedQuery")
      #expect((error["details"] as? [String])?.last == "     ^")
      #expect(ToolRun("query", store, "Dogs", "").status == .notFound)
      #expect(ToolRun("query", store, "Dog").status == .usage)
      #expect(ToolRun("query", store, "Dog", "", "-c", "agee").status == .usage)
    }
  }

  @Test("The help teaches the text form, and every example of it runs") func help() throws {
    let help = ToolRun("query", "--help")
    #expect(help.status == .done)
    for word in ["BEGINSWITH", "ANY", "SUBQUERY", "SORT", "%@", "@count", "LIKE"] {
      #expect(help.output.contains(word), "\(word)")
    }
    let examples = help.lines.filter { $0.hasPrefix("  fief query petstore-data/pets") }
    #expect(examples.count >= 12)
    try ToolStores.with("pets") { store in
      for example in examples {
        // The words that the shell would make of it, without pipes and redirections.
        let command = example.split(separator: " | ")[0].split(separator: " > dogs.csv")[0]
        let words = Self.words(String(command)).dropFirst()
        let run = ToolRun(words.map { $0 == "petstore-data/pets" ? store : $0 })
        #expect(run.status == .done, "\(example): \(run.errors)")
      }
    }
  }

  /// The words of a command line, with both kinds of quotes.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isOpen = false
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isOpen = true
      } else if character == " " {
        if isOpen || !word.isEmpty { words.append(word) }
        word = ""
        isOpen = false
      } else {
        word.append(character)
      }
    }
    if isOpen || !word.isEmpty { words.append(word) }
    return words
  }
}
