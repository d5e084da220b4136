import Fief
import FiefConsole
import Foundation
import Testing

/// Imports: what becomes of lines, wrong ones too, and of interruptions.
@Suite("Import") struct ImportTests {
  private let rex = "F1EF0000-0000-4000-8000-00000000000B"

  @Test("Wrong lines are reported by number, the others are imported")
  func wrongLines() throws {
    try ToolStores.with("pets") { store in
      let input = """
        {"name":"One"}
        {"name":2}

        {"name":"Three","president":"nobody"}
        {"name":"Four","colour":"red"}
        not JSON
        {"name":"One"}
        {"name":"Six","members":["\(rex)","F1EF0000-0000-4000-8000-0000000000EE"]}
        {"$type":"Dog","name":"Seven"}
        """
      let run = ToolRun(["import", store, "DogClub"], input: input)
      #expect(run.status == .failed)
      #expect(
        run.output
          == "Imported 2 objects (2 inserted); 6 wrong lines were left out; 1 link to nothing left out.\n"
      )
      #expect(
        run.errors == """
          line 2: DogClub.name: The value does not fit the property. (expected: a string; found: a number (2))
          line 4: DogClub.president of Three: The value does not fit the property. (expected: a UUID; found: \
          a string (nobody))
          line 5: DogClub.colour: The type has no such property.
          line 6: Expected a value. (line 1, column 1; byte 0)
          line 7: DogClub of One: An object with the key already exists.
          line 9: DogClub: The object has a different type. (its $type: Dog)
          line 8: members leads to Dog F1EF0000-0000-4000-8000-0000000000EE, which does not exist; the link \
          was left out

          """
      )
      #expect(ToolRun("get", store, "DogClub", "Six", "--json").output.contains(#""members":["\#(rex)"]"#))
    }
  }

  @Test("What becomes of keys that exist")
  func conflicts() throws {
    let input = #"{"id":"\#(rex)","age":9}"# + "\n"
    let rest = #"{"id":"\#(rex)","name":"Rex","breed":"Pug","age":3,"toys":[1,2,3]}"# + "\n"
    let expectations = [
      ("skip", "Imported 0 objects (1 skipped).\n", rest),
      ("merge", "Imported 1 object (1 merged).\n", rest.replacing("\"age\":3", with: "\"age\":9")),
      (
        "replace", "Imported 1 object (1 replaced).\n",
        #"{"id":"\#(rex)","name":"","breed":"","age":9,"toys":[]}"# + "\n"
      ),
    ]
    for (conflict, sentence, object) in expectations {
      try ToolStores.with("pets") { store in
        let run = ToolRun(["import", store, "Dog", "--on-conflict", conflict], input: input)
        #expect(run.output == sentence)
        #expect(ToolRun("get", store, "Dog", rex, "--json").output == object)
      }
    }
  }

  @Test("A dry run reports the same and changes nothing")
  func dryRun() throws {
    try ToolStores.with("pets") { store in
      let before = ToolRun("export", store).output
      let input = before + #"{"$type":"DogClub","name":"New","members":["\#(rex)"]}"# + "\nx\n"
      let run = ToolRun(["import", store, "--dry-run", "--on-conflict", "replace"], input: input)
      #expect(run.status == .failed)
      #expect(
        run.output == """
          Would import 17 objects (1 inserted, 16 replaced); 1 wrong line was left out.
          Nothing was changed.

          """
      )
      #expect(ToolRun("export", store).output == before)
      let document = try ToolRun(["import", store, "--dry-run", "--json"], input: input).json()
      #expect(document["inserted"] as? Int == 1)
      #expect(document["wrongLines"] as? Int == 17)
      #expect(document["isDryRun"] as? Bool == true)
    }
  }

  @Test("Links to objects of later lines and in circles are made in the end")
  func laterLinks() throws {
    try ToolStores.withDirectory { directory in
      let full = try ToolStores.copy("pets", to: directory)
      let export = ToolRun("export", full)
      try FileManager.default.removeItem(atPath: full)
      let empty = try ToolStores.emptied("pets", in: directory)
      let backwards = export.lines.reversed().joined(separator: "\n")
      let run = ToolRun(["import", empty], input: backwards)
      // Numbers that were given out before are not free again.
      #expect(run.errors.contains("The number was assigned before"))
      let others = export.lines.reversed().filter { !$0.contains("DogToy") }
        .map { $0.masking(/"toys":\[[0-9,]*\]/, with: "\"toys\":[]") }
      let again = ToolRun(
        ["import", empty, "--on-conflict", "replace"],
        input: others.joined(separator: "\n")
      )
      #expect(again.status == .done, "\(again.errors)")
      #expect(
        ToolRun("export", empty, "DogClub", "Person", "Dog").lines.count == 12
      )
      #expect(
        ToolRun("get", empty, "Dog", rex).output.contains(
          "linked by Person.dogs: F1EF0000-0000-4000-8000-000000000001"
        )
      )
    }
  }

  @Test("a heading that is not UTF-8, or no CSV, is said to be so")
  func headingOfAnotherKind() throws {
    try ToolStores.with("pets") { store in
      let text = "kind,colour\nball,red\n"
      for encoding in [String.Encoding.utf16, .utf16LittleEndian, .isoLatin1] {
        let data = try #require((encoding == .isoLatin1 ? "kind,colör\n" : text).data(using: encoding))
        let run = ToolRun(["import", store, "DogToy", "--format", "csv"], inputData: data)
        #expect(run.status == .failed)
        // UTF-16 of Latin letters without a mark is UTF-8 with zeros.
        if encoding == .utf16LittleEndian {
          #expect(!run.errors.contains("unknown error"), "\(run.errors)")
        } else {
          #expect(run.errors.hasPrefix("fief: The input is not UTF-8. Nothing was changed. Convert it first"))
        }
      }
      let quote = ToolRun(["import", store, "DogToy", "--format", "csv"], input: "ki\"nd\nball\n")
      #expect(quote.errors.contains("The heading is not CSV. A quote is in the middle of a cell"))
    }
  }

  @Test("lines that are not UTF-8 are said to be so once")
  func linesOfAnotherEncoding() throws {
    try ToolStores.with("pets") { store in
      let line = "{\"kind\":\"b\u{E4}ll\"}\n"
      let text = String(repeating: line, count: 200)
      let compressed = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAA, 0x0A, 0xE2])
      for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1, nil] {
        let data = try encoding.map { try #require(text.data(using: $0)) } ?? compressed
        for options in [[], ["--dry-run"]] {
          let run = ToolRun(["import", store, "DogToy"] + options, inputData: data)
          #expect(run.status == .failed && run.output == "")
          #expect(run.errors.hasPrefix("fief: The input is not UTF-8. Nothing was changed. Convert it first"))
        }
      }
    }
  }

  @Test("a directory is no input")
  func directoryAsInput() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("import", store, "DogToy", "--input", store)
      #expect(run.status == .refused)
      #expect(run.errors.contains("is a directory."))
    }
  }

  @Test("a file in the place of the type is pointed to --input")
  func fileAsType() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("import", store, "toys.jsonl")
      #expect(run.status == .notFound)
      let errors = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(errors.contains("Name a file with --input: --input toys.jsonl."))
      #expect(!ToolRun("import", store, "Dogs").errors.contains("--input"))
    }
  }

  @Test("put and import say that they do not know the cases of enumerations")
  func rawValues() throws {
    for verb in ["put", "import"] {
      let help = ToolRun(verb, "--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(help.contains("A store does not know the cases of enumerations: it accepts any raw value"))
    }
  }

  @Test("put and import suggest the property that was meant")
  func nearestProperty() throws {
    try ToolStores.with("pets") { store in
      let put = ToolRun("put", store, "Dog", "{\"nmae\":\"Rex\"}", "--write")
      #expect(put.errors.contains("did you mean 'name'?"))
      let line = ToolRun(["import", store, "Dog"], input: "{\"nmae\":\"Rex\"}\n")
      #expect(line.errors.contains("did you mean 'name'?"))
    }
  }

  @Test("CSV: its heading, quotes over several lines, nil and empty texts")
  func table() throws {
    try ToolStores.with("pets") { store in
      let rows =
        "kind,colour,squeaks\r\nball,\"red, \"\"dark\"\"\nand more\",true\r\nrope,,false\r\nbone,\"\",false\r\n"
      let file = store + ".csv"
      try Data(rows.utf8).write(to: URL(filePath: file))
      #expect(ToolRun("import", store, "DogToy", "-i", file).output == "Imported 3 objects (3 inserted).\n")
      let list = ToolRun("list", store, "DogToy", "--json", "--after", "4")
      #expect(
        list.output == """
          {"$key":65,"kind":"ball","colour":"red, \\"dark\\"\\nand more","squeaks":true}
          {"$key":66,"kind":"rope","colour":null,"squeaks":false}
          {"$key":67,"kind":"bone","colour":"","squeaks":false}

          """
      )
      let wrong = ToolRun(["import", store, "DogToy", "--format", "csv"], input: "kind,color\nball,red\n")
      #expect(wrong.status == .failed)
      #expect(wrong.errors.contains("DogToy has no property 'color', which the heading names. Did you mean"))
      let cells = ToolRun(
        ["import", store, "DogToy", "--format", "csv"],
        input: "kind,squeaks\nball\nx,yes\n\"y,true\n"
      )
      #expect(
        cells.errors == """
          line 2: The row has 1 cells, but the heading has 2.
          line 3: DogToy.squeaks: The value does not fit the property. (expected: true or false; found: a string (yes))
          line 4: A cell begins with a quote but does not end with a quote.

          """
      )
      #expect(ToolRun("import", store, "--format", "csv").status == .usage)
    }
  }

  @Test("A stray quote spoils its own row of CSV, and no other")
  func strayQuotes() throws {
    try ToolStores.with("pets") { store in
      let rows =
        "\u{FEFF}\"kind\",colour,squeaks\n5\" bone,red,true\nball,\"a\"\"\nb\",true\nx,\"y\"z,true\nrope,,false\n"
      let run = ToolRun(["import", store, "DogToy", "--format", "csv"], input: rows)
      #expect(run.status == .failed)
      #expect(run.output == "Imported 2 objects (2 inserted); 2 wrong lines were left out.\n")
      #expect(
        run.errors == """
          line 2: A quote is in the middle of a cell; enclose a cell that contains quotes in quotes.
          line 5: A quote is in the middle of a cell; enclose a cell that contains quotes in quotes.

          """
      )
      #expect(ToolRun("export", store, "DogToy").output.contains(#""kind":"ball","colour":"a\"\nb""#))
    }
  }

  @Test("Numbers that are none are said as they were written")
  func wrongNumbers() throws {
    try ToolStores.with("pets") { store in
      let input = #"{"$key":99999999999999999999,"kind":"a"}"# + "\n" + #"{"$key":"7","kind":"a"}"# + "\n"
      let run = ToolRun(["import", store, "DogToy"], input: input)
      #expect(run.status == .failed)
      #expect(
        run.errors.contains("99999999999999999999") && !run.errors.contains("Optional"),
        "\(run.errors)"
      )
    }
  }

  @Test("An interrupted import goes on by its journal, to the same store")
  func resume() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let file = directory + "/people.jsonl"
      let lines = (1...1500).map { number in
        let next = number < 1500 ? #"["\#(id(number + 5000))"]"# : "[]"
        return #"{"$type":"Person","id":"\#(id(number))","name":"P\#(number)","dogs":\#(next)}"#
      }
      let dogs = (5001...6499).map { #"{"$type":"Dog","id":"\#(id($0))","name":"D\#($0)"}"# }
      try Data((lines + dogs).joined(separator: "\n").utf8).write(to: URL(filePath: file))
      let batches = Lock(0)
      let first = ToolRun(["import", store, "-i", file]) {
        batches.withLock { count in
          count += 1
          return count == 2
        }
      }
      #expect(first.status == .failed)
      #expect(first.output == "Imported 2,000 objects (2,000 inserted).\n")
      #expect(first.errors == "Interrupted: continue with --resume.\n")
      let forgotten = ToolRun("import", store, "-i", file)
      #expect(forgotten.status == .refused)
      #expect(forgotten.errors.contains("An earlier import of the file was interrupted."))
      let rest = ToolRun("import", store, "-i", file, "--resume")
      #expect(rest.status == .done, "\(rest.errors)")
      #expect(rest.output == "Imported 999 objects (999 inserted).\n")
      #expect(!FileManager.default.fileExists(atPath: file + ".import"))
      // The links of the lines before the interruption are there, too.
      #expect(ToolRun("get", store, "Dog", id(5001)).output.contains("linked by Person.dogs: \(id(1))\n"))
      #expect(ToolRun("get", store, "Dog", id(6499)).output.contains("linked by Person.dogs: \(id(1499))\n"))
      #expect(try DynamicStore(directory: store).check().problems == [])
      #expect(ToolRun("import", store, "-i", file, "--resume").status == .refused)
      // The first lines are recognised by their keys where the store has no notes.
      let known = ToolRun("import", store, "-i", file, "--resume-from", "2000")
      #expect(known.output == "Imported 0 objects, besides 1,000 that existed already.\n")
    }
  }

  private func id(_ number: Int) -> String {
    let digits = String(number)
    return "F1EF0000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
