import Fief
import FiefConsole
import Foundation
import Testing

/// The output about objects, word for word.
@Suite("Transcripts: objects") struct ObjectTranscriptTests {
  private let rex = "F1EF0000-0000-4000-8000-00000000000B"

  @Test("get shows every value and what links the object")
  func get() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("get", store, "Dog", rex)
      #expect(run.status == .done)
      #expect(
        run.output == """
          Dog F1EF0000-0000-4000-8000-00000000000B
            id     F1EF0000-0000-4000-8000-00000000000B
            name   Rex
            breed  Pug
            age    3
            toys   [1,2,3]
          linked by DogClub.members: Agility
          linked by Person.dogs: F1EF0000-0000-4000-8000-000000000001

          """
      )
      #expect(
        ToolRun("get", store, "Dog", rex, "--json").output
          == #"{"id":"\#(rex)","name":"Rex","breed":"Pug","age":3,"toys":[1,2,3]}"# + "\n"
      )
      #expect(
        ToolRun("get", store, "DogToy", "2").output == """
          DogToy 2
            kind     squeaky
            colour   nil
            squeaks  true
          linked by Dog.toys: F1EF0000-0000-4000-8000-00000000000B

          """
      )
    }
  }

  @Test("Keys of every kind: number, text, an empty text, compound ones with commas or as JSON")
  func keys() throws {
    try ToolStores.with("payments") { store in
      #expect(ToolRun("get", store, "Order", "9223372036854775807").output.contains("total     -0.01\n"))
      #expect(ToolRun("get", store, "Country", "CI").output.contains("name    Côte d'Ivoire\n"))
      let wrong = ToolRun("get", store, "Order", "one")
      #expect(wrong.status == .usage)
      let message = "fief: 'one' is not a key of Order, whose primary key is number. A key is"
      #expect(wrong.errors.hasPrefix(message))
    }
    try ToolStores.with("pets") { store in
      #expect(ToolRun("get", store, "DogClub", "").output.hasPrefix("DogClub \n"))
      #expect(ToolRun("get", store, "DogClub", #"["日本犬クラブ"]"#).status == .done)
    }
    try ToolStores.with("ads", version: 3) { store in
      for key in ["EUR,top", #"["EUR","top"]"#, #"[ "EUR" , "top" ]"#] {
        let run = ToolRun("get", store, "AdCounter", key)
        #expect(run.output.hasPrefix("AdCounter EUR,top\n"), "\(key)")
      }
      #expect(ToolRun("get", store, "AdCounter", "EUR,").output.contains("impressions  3\n"))
      let wrong = ToolRun("get", store, "AdCounter", "EUR")
      #expect(wrong.status == .usage)
      #expect(wrong.errors.contains("'EUR' is not a key of AdCounter, whose primary key is market, place."))
    }
  }

  @Test("An object or a type that is not there")
  func notFound() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("get", store, "DogClub", "Cats")
      #expect(run.status == .notFound)
      #expect(run.output == "")
      #expect(
        run.errors
          == "fief: pets has no DogClub 'Cats'. 'fief list' shows the existing keys.\n"
      )
      let type = ToolRun("get", store, "Dogs", "1")
      #expect(type.status == .notFound)
      #expect(
        type.errors == """
          fief: The store has no type 'Dogs'. Did you mean 'Dog'? Its types are Dog, DogClub, DogToy, Person.

          """
      )
      let document = try ToolRun("get", store, "DogClub", "Cats", "--json").json()
      let error = try #require(document["error"] as? [String: Any])
      #expect(error["code"] as? String == "objectNotFound")
      #expect(document["status"] as? Int == 6)
    }
  }

  @Test("list fits the terminal and goes on after a key")
  func list() throws {
    try ToolStores.with("pets") { store in
      #expect(
        ToolRun("list", store, "Dog", "--limit", "2").output == """
          id                                    name   breed  age  toys
          F1EF0000-0000-4000-8000-00000000000B  Rex    Pug    3    [1,2,3]
          F1EF0000-0000-4000-8000-00000000000C  Bella   pug   0    [3,3]

          2 of 5 objects; --after F1EF0000-0000-4000-8000-00000000000C continues

          """
      )
      #expect(
        ToolRun("list", store, "DogToy", "-c", "colour,$key", "--after", "1").output == """
          colour  $key
          nil     2
          grün    3
          white   4

          3 of 4 objects

          """
      )
      let long = ToolRun(["list", store, "Dog", "--columns=id,name,age"], width: 60)
      #expect(long.lines.allSatisfy { $0.count <= 60 })
      #expect(long.output.contains("F1EF0000-0000-4000-8000-00000000000E  Sir Barka…  -1\n"))
      let narrow = ToolRun(["list", store, "Person"], width: 50)
      #expect(narrow.output.contains("\nnot shown: userID, dogs\n"))
      let empty = ToolRun("list", store, "Dog", "--after", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
      #expect(empty.output == "id  name  breed  age  toys\n\n0 of 5 objects\n")
    }
  }

  @Test("list as JSON lines and as CSV")
  func listForPrograms() throws {
    try ToolStores.with("pets") { store in
      #expect(
        ToolRun("list", store, "DogToy", "--json", "-n", "2").output == """
          {"$key":1,"kind":"ball","colour":"red","squeaks":false}
          {"$key":2,"kind":"squeaky","colour":null,"squeaks":true}

          """
      )
      #expect(
        ToolRun("list", store, "Dog", "--csv", "-n", "3", "-c", "name,breed,toys").output == """
          name,breed,toys
          Rex,Pug,"[1,2,3]"
          Bella," pug ","[3,3]"
          Zoë,"",[]

          """
      )
      let unknown = ToolRun("list", store, "Dog", "-c", "nmae")
      #expect(unknown.status == .usage)
      #expect(unknown.errors.contains("Dog has no property 'nmae'. Did you mean 'name'?"))
    }
  }

  @Test("put and delete change nothing without --write")
  func refused() throws {
    try ToolStores.with("pets") { store in
      let put = ToolRun("put", store, "DogClub", #"{"name":"Barks"}"#)
      #expect(put.status == .refused)
      #expect(
        put.errors == """
          fief: 'fief put' changes the store, but --write was not given. Nothing was changed. Add --write to
            confirm; 'fief backup' makes a copy first.

          """
      )
      #expect(ToolRun("delete", store, "DogClub", "Agility").status == .refused)
      #expect(ToolRun("compact", store).status == .refused)
      #expect(ToolRun("get", store, "DogClub", "Agility").status == .done)
      #expect(ToolRun("get", store, "DogClub", "Barks").status == .notFound)
    }
  }

  @Test("put inserts, refuses, replaces and merges")
  func put() throws {
    try ToolStores.with("pets") { store in
      let barks = #"{"name":"Barks","members":["\#(rex)"]}"#
      #expect(ToolRun("put", store, "DogClub", barks, "--write").output == "DogClub Barks was inserted.\n")
      #expect(
        ToolRun("get", store, "DogClub", "Barks", "--json").output
          == #"{"name":"Barks","president":null,"members":["\#(rex)"]}"# + "\n"
      )
      let twice = ToolRun("put", store, "DogClub", barks, "--write")
      #expect(twice.status == .failed)
      #expect(twice.errors.contains("An object with the key already exists."))
      let merge = ToolRun(
        ["put", store, "Dog", "-", "--on-conflict", "merge", "--write"],
        input: #"{"id":"\#(rex)","age":4}"#
      )
      #expect(merge.output == "Dog \(rex) was merged.\n")
      #expect(ToolRun("get", store, "Dog", rex).output.contains("breed  Pug\n  age    4\n"))
      let replaced = ToolRun(
        "put",
        store,
        "Dog",
        #"{"id":"\#(rex)","name":"Max"}"#,
        "--on-conflict",
        "replace",
        "--write"
      )
      #expect(replaced.output == "Dog \(rex) was replaced.\n")
      #expect(
        ToolRun("get", store, "Dog", rex, "--json").output
          == #"{"id":"\#(rex)","name":"Max","breed":"","age":0,"toys":[]}"# + "\n"
      )
      // The store gave out the numbers up to 64 at once.
      #expect(
        ToolRun("put", store, "DogToy", #"{"kind":"ball"}"#, "--write").output == "DogToy 65 was inserted.\n"
      )
    }
  }

  @Test("put says what is wrong with an object, and leaves the store as it was")
  func wrongPuts() throws {
    try ToolStores.with("pets") { store in
      let wrong: [(String, String)] = [
        (#"{"name":1}"#, "The value does not fit the property."),
        (#"{"nmae":"x"}"#, "The type has no such property."),
        (#"{"name":"x","president":"F1EF0000-0000-4000-8000-0000000000FF"}"#, "The link leads to an object"),
        (#"{"president":null}"#, "The primary key has no value."),
        (#"{"name":"x""#, "The document ends inside an array or an object."),
        (#"{"name":"x","name":"y"}"#, "An object has two members of one name."),
        (#"["x"]"#, "Expected a JSON object, found an array: write each object in its own line."),
        (#"{"name":"x","members":null,"president":[1,2]}"#, "The value does not fit the property."),
        (#"{"$key":3,"name":"x"}"#, "The type has a primary key, so its objects have no numbers."),
      ]
      for (json, sentence) in wrong {
        let run = ToolRun("put", store, "DogClub", json, "--write")
        #expect(run.status != .done, "\(json)")
        #expect(
          run.errors.replacing("\n  ", with: " ").contains(sentence),
          "\(json): \(run.errors)"
        )
      }
      #expect(ToolRun("list", store, "DogClub").output.contains("4 of 4 objects"))
    }
  }

  @Test("delete deletes all keys or none, and clears links")
  func delete() throws {
    try ToolStores.with("pets") { store in
      let missing = ToolRun("delete", store, "DogToy", "3", "77", "--write")
      #expect(missing.status == .notFound)
      #expect(
        missing.errors
          == "fief: pets has no DogToy '77'. Nothing was changed. Omit the key, or add --ignore-missing.\n"
      )
      #expect(ToolRun("get", store, "DogToy", "3").status == .done)
      let run = ToolRun("delete", store, "DogToy", "3", "77", "--write", "--ignore-missing")
      #expect(run.output == "1 of 2 objects deleted.\n")
      #expect(ToolRun("get", store, "Dog", rex, "--json").output.contains(#""toys":[1,2]}"#))
    }
  }
}
