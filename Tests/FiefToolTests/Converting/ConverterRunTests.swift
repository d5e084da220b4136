import Foundation
import Testing

/// The verb `fief convert-realm-models`, and what it does to files.
@Suite("Converter runs") struct ConverterRunTests {
  private let before = """
    import RealmSwift

    class Dog: Object {
      @objc dynamic var name = ""
      @objc dynamic var age = 0

      func bark() {}
      func sit() {}
      func eat() {}
      func sleep() {}
      func walk() {}
      func run() {}
      func jump() {}

      override static func primaryKey() -> String? { "name" }
    }

    """

  @Test("Without --write it prints a patch, and changes nothing")
  func patch() throws {
    try ConverterFiles.with { files in
      try files.add("Dog.swift", before)
      let path = files["Dog.swift"]
      let run = ToolRun("convert-realm-models", path)
      #expect(run.status == .done)
      #expect(
        run.output == """
          --- \(path)
          +++ \(path)
          @@ -1,8 +1,8 @@
          -import RealmSwift
          +import FiefRealm
          \u{20}
           class Dog: Object {
          -  @objc dynamic var name = ""
          -  @objc dynamic var age = 0
          +  @Persisted(primaryKey: true) var name = ""
          +  @Persisted var age = 0
          \u{20}
             func bark() {}
             func sit() {}
          @@ -11,6 +11,4 @@
             func walk() {}
             func run() {}
             func jump() {}
          -
          -  override static func primaryKey() -> String? { "name" }
           }

          """
      )
      #expect(run.errors == "Would convert 2 properties in 1 file. Add --write to change the files.\n")
      #expect(try files.text("Dog.swift") == before)
      #expect(try files.names() == ["Dog.swift"])
    }
  }

  @Test("With --write files are replaced, with their permissions, through symbolic links")
  func writing() throws {
    try ConverterFiles.with { files in
      try files.add("Dog.swift", before)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files["Dog.swift"])
      try FileManager.default.createSymbolicLink(
        atPath: files["Link.swift"],
        withDestinationPath: "Dog.swift"
      )
      try files.add("Other.swift", "let a = 1\n")
      let run = ToolRun(
        "convert-realm-models",
        files["Link.swift"],
        files["Dog.swift"],
        files["Other.swift"],
        "--write"
      )
      #expect(run.status == .done)
      #expect(run.output == "Converted 2 properties in 1 file.\n")
      #expect(run.errors == "")
      #expect(try files.text("Dog.swift").contains("@Persisted(primaryKey: true) var name"))
      #expect(try files.names() == ["Dog.swift", "Link.swift", "Other.swift"])
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: files["Link.swift"]) == "Dog.swift")
      let attributes = try FileManager.default.attributesOfItem(atPath: files["Dog.swift"])
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(
        ToolRun("convert-realm-models", files["Dog.swift"], "--write").output == "Nothing to convert.\n"
      )
    }
  }

  @Test("A file with several hard links is refused")
  func hardLinks() throws {
    try ConverterFiles.with { files in
      try files.add("Dog.swift", before)
      try FileManager.default.linkItem(atPath: files["Dog.swift"], toPath: files["Other.swift"])
      let run = ToolRun("convert-realm-models", files["Dog.swift"], "--write")
      #expect(run.status == .refused)
      let errors = run.errors.replacing(/\s+/, with: " ")
      #expect(errors.contains("has other hard links, which would keep the old contents. It is unchanged."))
      #expect(try files.text("Dog.swift") == before)
      #expect(try files.names() == ["Dog.swift", "Other.swift"])
    }
  }

  @Test("A subclass, an extension and its class may be in several files")
  func severalFiles() throws {
    try ConverterFiles.with { files in
      try files.add("A.swift", "import RealmSwift\nclass Pug: Dog { @objc dynamic var a = 0 }\n")
      try files.add("B.swift", "import RealmSwift\nclass Dog: Object { @objc dynamic var id = 0 }\n")
      try files.add(
        "C.swift",
        "extension Dog {\n  override class func primaryKey() -> String? { \"id\" }\n}\n"
      )
      let paths = ["A.swift", "B.swift", "C.swift"].map { files[$0] }
      let run = ToolRun(["convert-realm-models"] + paths + ["--write"])
      #expect(run.output == "Converted 2 properties in 3 files.\n")
      #expect(try files.text("A.swift") == "import FiefRealm\nclass Pug: Dog { @Persisted var a = 0 }\n")
      #expect(
        try files.text("B.swift")
          == "import FiefRealm\nclass Dog: Object { @Persisted(primaryKey: true) var id = 0 }\n"
      )
      #expect(try files.text("C.swift") == "extension Dog {\n}\n")
    }
  }

  @Test("A file that is no UTF-8, a directory or missing is refused before any file is changed")
  func refusals() throws {
    try ConverterFiles.with { files in
      try files.add("Dog.swift", before)
      try files.add("Latin.swift", Data(Array("// caf".utf8) + [0xE9]))
      let latin = ToolRun("convert-realm-models", files["Dog.swift"], files["Latin.swift"], "--write")
      #expect(latin.status == .refused)
      #expect(latin.errors.replacing("\n  ", with: " ").contains("is not UTF-8. Nothing was changed."))
      let missing = ToolRun("convert-realm-models", files["Dog.swift"], files["None.swift"], "--write")
      #expect(missing.status == .notFound)
      let directory = ToolRun("convert-realm-models", files["Dog.swift"], files[""], "--write")
      #expect(directory.status == .notFound)
      #expect(directory.errors.contains("is a directory"))
      #expect(ToolRun("convert-realm-models").status == .usage)
      #expect(try files.text("Dog.swift") == before)
      #expect(try files.data("Latin.swift").count == 7)
    }
  }

  @Test(
    "A file that cannot be taken apart is left and listed; the others are converted",
    arguments: [
      ("let a = \"open\n", "1: the file was not converted: The string is not closed."),
      ("\nlet a = 1 /* /* */\n", "2: the file was not converted: The comment is not closed."),
      ("class Dog: Object {\n", "1: the file was not converted: The bracket is not closed."),
      (
        "class Dog: Object {\n)}\n",
        "2: the file was not converted: The bracket has no matching opening bracket."
      ),
    ]
  )
  func unreadable(text: String, message: String) throws {
    try ConverterFiles.with { files in
      try files.add("Dog.swift", before)
      try files.add("Broken.swift", text)
      let run = ToolRun("convert-realm-models", files["Broken.swift"], files["Dog.swift"], "--write")
      #expect(run.status == .failed)
      #expect(run.errors == "\(files["Broken.swift"]):\(message)\n")
      #expect(try files.text("Broken.swift") == text)
      #expect(try files.text("Dog.swift").contains("@Persisted"))
    }
  }

  @Test(
    "A file whose changes would overlap is left and listed, with the extensions of its classes in other files"
  )
  func overlap() throws {
    try ConverterFiles.with { files in
      let cat = """
        class Cat: Object {
          @objc dynamic var id = 0
          @objc dynamic var a = 0
          @objc dynamic var b = 0
          override static func indexedProperties() -> [String] { ["a"]
            /// Often looked up.
          }; override static func ignoredProperties() -> [String] { ["b"] }
        }

        """
      let part = "extension Cat {\n  override static func primaryKey() -> String? { \"id\" }\n}\n"
      try files.add("Dog.swift", before)
      try files.add("Cat.swift", cat)
      try files.add("Part.swift", part)
      let paths = ["Part.swift", "Cat.swift", "Dog.swift"].map { files[$0] }
      let run = ToolRun(["convert-realm-models"] + paths + ["--write"])
      #expect(run.status == .failed)
      #expect(
        run.errors
          == "\(files["Cat.swift"]):6: the file was not converted: two changes would overlap here\n"
      )
      #expect(try files.text("Cat.swift") == cat)
      #expect(try files.text("Part.swift") == part)
      #expect(try files.text("Dog.swift").contains("@Persisted"))
    }
  }

  @Test("As JSON it is one document")
  func json() throws {
    try ConverterFiles.with { files in
      try files.add(
        "Dog.swift",
        "import RealmSwift\nclass Dog: Object {\n  @objc var a = 0\n  @objc dynamic var b = 0\n}\n"
      )
      let document = try ToolRun("convert-realm-models", files["Dog.swift"], "--json").json()
      #expect(document["isWritten"] as? Bool == false)
      let file = try #require((document["files"] as? [[String: Any]])?.first)
      #expect(file["isChanged"] as? Bool == true)
      #expect(file["properties"] as? Int == 1)
      #expect((file["diff"] as? String)?.contains("+  @Persisted var b = 0\n") == true)
      #expect((file["left"] as? [[String: Any]])?.first?["line"] as? Int == 3)
    }
  }
}
