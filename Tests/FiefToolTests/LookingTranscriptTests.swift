import Fief
import FiefConsole
import Foundation
import Testing

/// The output about a store, word for word.
@Suite("Transcripts: looking at stores") struct LookingTranscriptTests {
  @Test("info says what a store is and what is in it")
  func info() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("info", store)
      #expect(run.status == .done)
      #expect(run.errors == "")
      let shown = run.output.replacing(store, with: "DIRECTORY")
        .masking(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "UUID")
      #expect(
        shown == """
          Store           pets
          Directory       DIRECTORY
          Schema version  1
          Format          2
          Store id        UUID
          File            60.0 KiB: 15 pages of 4.0 KiB, 0 of them free
          Commits         1
          Readers         no lock table: no process has the store open
          Objects         16

          Type     Objects  Properties      Size
          Dog            5           7  16.0 KiB
          DogClub        4           3  12.0 KiB
          DogToy         4           3   4.0 KiB
          Person         3           4  12.0 KiB

          """
      )
      let document = try ToolRun("--json", "info", store).json()
      #expect(document["schemaVersion"] as? Int == 1)
      #expect(document["objects"] as? Int == 16)
      let types = try #require(document["types"] as? [[String: Any]])
      #expect(types.map { $0["name"] as? String } == ["Dog", "DogClub", "DogToy", "Person"])
      #expect(types.map { $0["objects"] as? Int } == [5, 4, 4, 3])
    }
  }

  @Test("info lists the readers of the store")
  func readers() throws {
    try ToolStores.with("pets") { store in
      let writer = try DynamicStore(directory: store, isReadOnly: false)
      defer { writer.close() }
      try writer.read { _ in
        try writer.write { _ = try $0.put("Person", ["id": UUID().uuidString, "name": "Ann"]) }
        let run = ToolRun("info", store)
        let line = try #require(run.lines.first { $0.hasPrefix("Reader: ") })
        let words =
          /Reader: this process, thread [0-9a-f]+, .+LookingTranscriptTests\.swift:[0-9]+: 1 commits behind, for at least [0-9]+ s/
        #expect(line.wholeMatch(of: words) != nil, "\(line)")
        let document = try ToolRun("--json", "info", store).json()
        let readers = try #require(document["readers"] as? [[String: Any]])
        #expect(readers.count == 1 && readers.first?["commitsBehind"] as? Int == 1)
        #expect(readers.first?["ageInSeconds"] is Int)
      }
    }
  }

  @Test("Looking makes and changes nothing in the directory")
  func nothingIsMade() throws {
    try ToolStores.with("payments") { store in
      func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: store)
        return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(filePath: store + "/" + $1)) }
      }
      let before = try contents()
      for arguments in [
        ["info"], ["schema"], ["check"], ["list", "Order"], ["get", "Order", "1"], ["stats"], ["export"],
      ] {
        var words = arguments
        words.insert(store, at: 1)
        #expect(ToolRun(words).status == .done, "\(arguments)")
      }
      #expect(try contents() == before)
    }
  }

  @Test("schema as text")
  func schema() throws {
    try ToolStores.with("payments") { store in
      let run = ToolRun("schema", store)
      #expect(run.status == .done)
      #expect(
        run.output == """
          payments, schema version 1

          Address (embedded)
            street    String
            postcode  String
            city      String
            country   Country?

          Cart
            userID      UUID              primary key
            quantities  Map<String, Int>

          Country
            code    String  primary key
            alpha3  String
            name    String
            flag    String

          Currency
            code            String  primary key
            numeric         String
            name            String
            fractionDigits  Int

          Order
            number    Int              primary key
            userID    UUID             indexed
            placedAt  Date
            status    String
            currency  Currency?
            total     Decimal
            lines     List<OrderLine>
            delivery  Address?

          OrderLine (embedded)
            product    Product?
            quantity   Int
            unitPrice  Decimal

          Product
            sku        String                    primary key
            name       String                    indexed
            price      Decimal
            currency   Currency?
            stock      Int
            labels     MutableSet<String>
            wishLists  LinkingObjects<WishList>  inverse of WishList.products

          WishList
            userID    UUID           primary key
            products  List<Product>

          """
      )
    }
  }

  @Test("A compound key and a type without a primary key say so; so does JSON")
  func schemaOfKeys() throws {
    try ToolStores.with("ads", version: 3) { store in
      #expect(ToolRun("schema", store).output.contains("market       String   part of the primary key\n"))
    }
    try ToolStores.with("pets") { store in
      #expect(ToolRun("schema", store).output.contains("\nDogToy (numbered by the store)\n"))
      let document = try ToolRun("schema", store, "--json").json()
      let types = try #require(document["types"] as? [[String: Any]])
      let dog = try #require(types.first { $0["name"] as? String == "Dog" })
      #expect(dog["primaryKey"] as? [String] == ["id"])
      let properties = try #require(dog["properties"] as? [[String: Any]])
      let toys = try #require(properties.first { $0["name"] as? String == "toys" })
      #expect(toys["type"] as? String == "List<DogToy>")
      #expect(toys["container"] as? String == "list")
      #expect(toys["target"] as? String == "DogToy")
      #expect(properties.last?["inverseOf"] as? String == "members")
    }
  }

  @Test("schema as diagrams of Mermaid and Graphviz")
  func diagrams() throws {
    try ToolStores.with("pets") { store in
      #expect(
        ToolRun("schema", store, "--format", "mermaid").output == """
          classDiagram
            class Dog {
              UUID id [key]
              String name [indexed]
              String breed [indexed]
              Int age
              List~DogToy~ toys
              LinkingObjects~Person~ owners [inverse of dogs]
              LinkingObjects~DogClub~ clubs [inverse of members]
            }
            class DogClub {
              String name [key]
              Person? president
              List~Dog~ members
            }
            class DogToy {
              String kind
              String? colour
              Bool squeaks
            }
            class Person {
              UUID id [key]
              String name [indexed]
              UUID? userID
              List~Dog~ dogs
            }
            Dog "*" --> "*" DogToy : toys
            DogClub "*" --> "0..1" Person : president
            DogClub "*" --> "*" Dog : members
            Person "*" --> "*" Dog : dogs

          """
      )
    }
    try ToolStores.with("payments") { store in
      let mermaid = ToolRun("schema", store, "--format=mermaid").output
      #expect(mermaid.contains("  class Address {\n    <<embedded>>\n"))
      #expect(mermaid.contains("\n  Order \"1\" *-- \"*\" OrderLine : lines\n"))
      #expect(mermaid.contains("\n  Order \"1\" *-- \"0..1\" Address : delivery\n"))
      let graphviz = ToolRun("schema", store, "--format", "graphviz").output
      #expect(graphviz.hasPrefix("digraph \"payments\" {\n"))
      #expect(graphviz.contains("<TD ALIGN=\"LEFT\">Map&lt;String, Int&gt;</TD>"))
      let composition =
        "  \"Order\" -> \"Address\" [label=\"delivery\", dir=both, arrowtail=diamond, arrowhead=none, "
        + "taillabel=\"1\", headlabel=\"0..1\"];\n"
      #expect(graphviz.contains(composition))
      #expect(graphviz.hasSuffix("}\n"))
      #expect(graphviz.count { $0 == "{" } == graphviz.count { $0 == "}" })
    }
  }

  @Test("check of a store that is whole")
  func check() throws {
    try ToolStores.with("pets") { store in
      #expect(
        ToolRun("check", store).output
          == "pets is intact: 16 records and 29 entries of indexes and links were checked.\n"
      )
      #expect(
        ToolRun("check", "--quick", store).output
          == "The pages of pets are intact. Records were not checked (--quick).\n"
      )
      let document = try ToolRun("check", store, "--json").json()
      #expect(document["isWhole"] as? Bool == true)
      #expect(document["records"] as? Int == 16)
      #expect(document["problems"] as? [String] == [])
    }
  }

  @Test("stats by type, index and link")
  func stats() throws {
    try ToolStores.with("pets") { store in
      let run = ToolRun("stats", store)
      #expect(run.status == .done)
      let shown = run.output.masking(/\ +[0-9]+%/, with: " N%")
      #expect(
        shown == """
          Tree                           Entries  Depth  Pages     Size  Fill
          Dog                                  5      1      1  4.0 KiB N%
          Dog.name (index)                     5      1      1  4.0 KiB N%
          Dog.breed (index)                    5      1      1  4.0 KiB N%
          Dog.toys (backlinks)                 4      1      1  4.0 KiB N%
          DogClub                              4      1      1  4.0 KiB N%
          DogClub.president (backlinks)        3      1      1  4.0 KiB N%
          DogClub.members (backlinks)          4      1      1  4.0 KiB N%
          DogToy                               4      1      1  4.0 KiB N%
          Person                               3      1      1  4.0 KiB N%
          Person.name (index)                  3      1      1  4.0 KiB N%
          Person.dogs (backlinks)              5      1      1  4.0 KiB N%
          (catalogue)                          2      1      1  4.0 KiB N%

          File:    60.0 KiB, 15 pages of 4.0 KiB
          Free:    0 pages, 0 B, reused by later commits
          Map:     16.0 GiB of address space
          Commits: 1
          Readers: no lock table: no process has the store open

          """
      )
      let trees = try #require(try ToolRun("stats", store, "--json").json()["trees"] as? [[String: Any]])
      #expect(trees.count == 12)
      let index = try #require(trees.first { $0["purpose"] as? String == "index" })
      #expect(index["property"] as? String == "name")
      let fill = try #require(index["fill"] as? Double)
      #expect(fill > 0 && fill < 1)
    }
  }

  @Test("A diagram is no document, and Mermaid takes no comma in a type")
  func diagramForms() throws {
    try ToolStores.with("payments") { store in
      let run = ToolRun("schema", store, "--json", "--format", "mermaid")
      #expect(run.status == .usage)
      #expect(run.output.contains("--json and --format mermaid exclude each other."))
      #expect(ToolRun("schema", store, "--format", "mermaid").output.contains("    Map~Int~ quantities\n"))
    }
  }
}
