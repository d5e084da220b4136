import Testing

/// The rules of `fief convert-realm-models`, one by one.
@Suite("Converter") struct ConverterTests {
  /// A part of a class before and after, or a part that stays and what is said about it.
  struct Example: Sendable, CustomTestStringConvertible {
    let before: String
    let after: String

    var testDescription: String { before }
  }

  private static let declarations = [
    Example(before: "@objc dynamic var age = 0", after: "@Persisted var age = 0"),
    Example(before: "dynamic @objc var age = 0", after: "@Persisted var age = 0"),
    Example(before: "@objc public dynamic var age = 0", after: "@Persisted public var age = 0"),
    Example(before: "public @objc dynamic var age = 0", after: "public @Persisted var age = 0"),
    Example(
      before: "@objc private(set) dynamic var age: Int = 0 // years",
      after: "@Persisted private(set) var age: Int = 0 // years"
    ),
    Example(before: "@objc /* why */ dynamic var age = 0", after: "@Persisted /* why */ var age = 0"),
    Example(before: "@objc dynamic /* why */ var age = 0", after: "@Persisted /* why */ var age = 0"),
    Example(
      before: "@available(*, deprecated) @objc dynamic var age = 0",
      after: "@available(*, deprecated) @Persisted var age = 0"
    ),
    Example(
      before: "@objc dynamic var a = 0; @objc dynamic var b = \"}\"",
      after: "@Persisted var a = 0; @Persisted var b = \"}\""
    ),
    Example(before: "let dogs = List<Dog>()", after: "@Persisted var dogs: List<Dog>"),
    Example(before: "public let dogs: List<Dog> = List()", after: "@Persisted public var dogs: List<Dog>"),
    Example(before: "@objc let dogs = List<Dog>.init()", after: "@Persisted var dogs: List<Dog>"),
    Example(
      before: "let ages = Map<String, List<Int>>()",
      after: "@Persisted var ages: Map<String, List<Int>>"
    ),
    Example(before: "@objc dynamic var less = a < b", after: "@Persisted var less = a < b"),
    Example(before: "var ages = Map<String, Int?>()", after: "@Persisted var ages: Map<String, Int?>"),
    Example(before: "let age = RealmOptional<Int>(7)", after: "@Persisted var age: Int? = 7"),
    Example(before: "let age: RealmOptional<Int> = RealmOptional()", after: "@Persisted var age: Int?"),
    Example(before: "let any = RealmProperty<AnyRealmValue>()", after: "@Persisted var any: AnyRealmValue"),
    Example(
      before: "let owners = LinkingObjects(fromType: Person.self, property: \"dogs\")",
      after: "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person>"
    ),
    Example(
      before:
        "let owners: LinkingObjects<Person> = LinkingObjects(\n  fromType: Person.self,\n  property: Person.key\n)",
      after: "@Persisted(originProperty: Person.key) var owners: LinkingObjects<Person>"
    ),
    Example(before: "@Persisted var age = 0", after: "@Persisted var age = 0"),
    Example(before: "static let dogs = List<Dog>()", after: "static let dogs = List<Dog>()"),
    Example(before: "var plain = 0", after: "var plain = 0"),
    Example(before: "@objc dynamic var twice: Int { age * 2 }", after: "var twice: Int { age * 2 }"),
    Example(
      before: "var dogs: Results<Dog> { realm.objects(Dog.self) }",
      after: "var dogs: Results<Dog> { realm.objects(Dog.self) }"
    ),
  ]

  @Test("A declaration is rewritten, and the rest of its line stays", arguments: declarations)
  func declaration(_ example: Example) throws {
    let result = try ConverterFiles.convert(
      "import RealmSwift\nclass Dog: Object {\n  \(example.before)\n}\n"
    )
    #expect(result.text == "import FiefRealm\nclass Dog: Object {\n  \(example.after)\n}\n")
    #expect(result.left == [])
  }

  private static let leftOnes = [
    Example(
      before: "@objc dynamic var a = 0, b = 0",
      after: "3: 'a', 'b' were not converted: declare each property separately"
    ),
    Example(
      before: "@objc dynamic var at = NSDate()",
      after: "3: 'at' was not converted: a store cannot store NSDate; use Date"
    ),
    Example(
      before: "@objc(x) dynamic var a = 0",
      after: "3: 'a' was not converted: it has a different name in Objective-C"
    ),
    Example(
      before: "@objc var a = 0",
      after: "3: 'a' was not converted: it is not dynamic; use @Persisted to store it"
    ),
    Example(
      before: "let a = List(1, 2)",
      after: "3: 'a' was not converted: the initializer of its List is not supported"
    ),
    Example(
      before: "let preset = { List<Int>() }()",
      after:
        "3: 'preset' was not converted: if the value is a list, a set or a map, declare @Persisted var with its type"
    ),
    Example(
      before: "let made = Club.make()",
      after:
        "3: 'made' was not converted: if the value is a list, a set or a map, declare @Persisted var with its type"
    ),
    Example(
      before: "@nonobjc dynamic var a = 0",
      after: "3: 'a' was not converted: Objective-C does not see it, so Realm does not store it"
    ),
    Example(
      before: "func f() { print(#keyPath(owner)) }",
      after: "3: '#keyPath(owner)' was not converted: it needs Objective-C; write the name as a string"
    ),
    Example(
      before: "let a = RealmOptional(1)",
      after: "3: 'a' was not converted: the initializer of its RealmOptional is not supported"
    ),
    Example(
      before: "override static func primaryKey() -> String? { Keys.id }",
      after:
        "3: primaryKey() was not converted because its names are not string literals: write @Persisted(primaryKey: true) and remove it"
    ),
    Example(
      before: "override static func primaryKey() -> String? { \"id\" }",
      after:
        "3: primaryKey() was not converted because not all of its names were converted: write @Persisted(primaryKey: true) and remove it"
    ),
    Example(
      before: "override static func indexedProperties() -> [String] { super.indexedProperties() + [\"id\"] }",
      after:
        "3: indexedProperties() was not converted because its names are not string literals: it works unchanged; @Persisted(indexed: true) has the same effect"
    ),
    Example(
      before:
        "required init(realm: RLMRealm, schema: RLMObjectSchema) { super.init(realm: realm, schema: schema) }",
      after: "3: init(realm:schema:) was not converted: the superclass does not have it; remove it"
    ),
  ]

  @Test("What is left is listed with file and line, and stays as it is", arguments: leftOnes)
  func left(_ example: Example) throws {
    let result = try ConverterFiles.convert(
      "import RealmSwift\nclass Dog: Object {\n  \(example.before)\n}\n"
    )
    #expect(result.text == "import FiefRealm\nclass Dog: Object {\n  \(example.before)\n}\n")
    #expect(result.left == [example.after])
  }

  private static let methods = [
    Example(
      before:
        "  @objc dynamic var id = 0\n\n  override static func primaryKey() -> String? { \"id\" }\n"
        + "  override static func ignoredProperties() -> [String] { [] }\n}\n",
      after: "  @Persisted(primaryKey: true) var id = 0\n}\n"
    ),
    Example(
      before:
        "  @objc dynamic var id = 0\n\n  override static func primaryKey() -> String? { return \"id\" }\n}\n",
      after: "  @Persisted(primaryKey: true) var id = 0\n}\n"
    ),
    Example(
      before:
        "  override static func primaryKey() -> String? { return \"id\" }\n\n  @objc dynamic var id = 0\n}\n",
      after: "  @Persisted(primaryKey: true) var id = 0\n}\n"
    ),
    Example(
      before:
        "  let a = 1\n\n  /// The key.\n  @objc override open class func primaryKey() -> String? {\n    // A number.\n    \"id\"\n  }\n\n"
        + "  @objc dynamic var id = 0\n}\n",
      after: "  let a = 1\n\n  // The key.\n  // A number.\n\n  @Persisted(primaryKey: true) var id = 0\n}\n"
    ),
    Example(
      before:
        "  @objc dynamic var id = 0\n  override static func primaryKey() -> String? { nil } // none\n}\n",
      after: "  @Persisted var id = 0\n  // none\n}\n"
    ),
    Example(
      before:
        "  @objc dynamic var a = 0\n  @objc dynamic var b = 0\n  @objc dynamic var c = 0\n\n"
        + "  override class func indexedProperties() -> [String] { [\"a\", \"b\",] }\n\n"
        + "  override class func ignoredProperties() -> [String] {\n    return [\n      \"c\",\n    ]\n  }\n\n  func f() {}\n}\n",
      after:
        "  @Persisted(indexed: true) var a = 0\n  @Persisted(indexed: true) var b = 0\n  var c = 0\n\n  func f() {}\n}\n"
    ),
    Example(
      before:
        "  @objc dynamic var id = 0\n  @objc dynamic var a = 0\n  /// Keys.\n  override static func primaryKey() -> String? { \"id\" }; "
        + "override static func indexedProperties() -> [String] { [\"a\"] }\n}\n",
      after:
        "  @Persisted(primaryKey: true) var id = 0\n  @Persisted(indexed: true) var a = 0\n  // Keys.\n  \n}\n"
    ),
  ]

  @Test("Methods that name properties are removed, and their comments stay", arguments: methods)
  func method(_ example: Example) throws {
    let result = try ConverterFiles.convert("class Dog: Object {\n" + example.before)
    #expect(result.text == "class Dog: Object {\n" + example.after)
    #expect(result.left == [])
  }

  @Test("Only classes that inherit from Realm's are rewritten, through other classes and modules too")
  func superclasses() throws {
    let text = """
      import RealmSwift
      class Base: RealmSwift.Object { @objc dynamic var a = 0 }
      class Dog<T>: Base, Codable where T: Equatable { @objc dynamic var b = 0 }
      class View: UIView { @objc dynamic var c = 0 }
      class Cat: Animal { @objc dynamic var d = 0 }
      struct Outer { final class Part: EmbeddedObject { @objc dynamic var e = 0 } }

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.text == """
        import FiefRealm
        class Base: FiefRealm.Object { @Persisted var a = 0 }
        class Dog<T>: Base, Codable where T: Equatable { @Persisted var b = 0 }
        class View: UIView { @objc dynamic var c = 0 }
        class Cat: Animal { @objc dynamic var d = 0 }
        struct Outer { final class Part: EmbeddedObject { @Persisted var e = 0 } }

        """
    )
    #expect(
      result.left == [
        "5: class Cat was not converted: its superclass Animal is in no given file; add that file"
      ]
    )
  }

  @Test("Methods in an extension of one of several classes with the same name are listed")
  func sameNames() throws {
    let text = """
      enum Old { class Dog: Object { @objc dynamic var id = 0 } }
      class Dog: Object { @objc dynamic var id = 0 }
      extension Old.Dog { override class func primaryKey() -> String? { "id" } }

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.text == """
        enum Old { class Dog: Object { @Persisted var id = 0 } }
        class Dog: Object { @Persisted var id = 0 }
        extension Old.Dog { override class func primaryKey() -> String? { "id" } }

        """
    )
    #expect(
      result.left == [
        "3: primaryKey() was not converted: several classes have the name Dog; move it into its class"
      ]
    )
  }

  @Test("A class that ignores a property of its superclass keeps the method, and it is listed")
  func inheritedIgnored() throws {
    let text = """
      class Base: Object { @objc dynamic var a = 0 }
      class Dog: Base {
        @objc dynamic var b = 0
        @objc dynamic var c = 0
        override static func ignoredProperties() -> [String] { ["a", "b"] }
      }
      class Cat: Object {
        @objc dynamic var a = 0
        override static func ignoredProperties() -> [String] { ["a", "twice"] }
      }
      extension Cat { @objc var twice: Int { a * 2 } }

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.text == """
        class Base: Object { @Persisted var a = 0 }
        class Dog: Base {
          var b = 0
          @Persisted var c = 0
          override static func ignoredProperties() -> [String] { ["a", "b"] }
        }
        class Cat: Object {
          var a = 0
        }
        extension Cat { var twice: Int { a * 2 } }

        """
    )
    #expect(
      result.left == [
        "5: ignoredProperties() was not converted because not all of its names are properties of this class: remove @Persisted from these properties, then remove the method"
      ]
    )
  }

  @Test("Properties that Realm does not store are listed and left")
  func notStored() throws {
    let text = """
      class Mixed: Object {
        @Persisted var new = 0
        @objc dynamic var legacy = 0
        let old = List<Int>()
        let plain = UUID()
      }
      @objcMembers class Dog: Object {
        dynamic var age = 0
        private dynamic var secret = 0
      }
      class Cat: Object {
        @objc dynamic var a = 0, tmp = 1
        override static func ignoredProperties() -> [String] { ["tmp"] }
      }

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.text
        == text.replacing("@objcMembers ", with: "").replacing(
          "  dynamic var age",
          with: "  @Persisted var age"
        )
    )
    let reason = "Realm does not store it, because other properties of the class are @Persisted"
    #expect(
      result.left == [
        "3: 'legacy' was not converted: \(reason)",
        "4: 'old' was not converted: \(reason)",
        "9: 'secret' was not converted: Objective-C does not see it, so Realm does not store it",
        "12: 'a', 'tmp' were not converted: declare each property separately",
        "13: ignoredProperties() was not converted because not all of its names were converted: declare these properties without @Persisted, then remove the method",
      ]
    )
  }

  @Test("Enumerations that models store lose their names in Objective-C")
  func enumerations() throws {
    let text = """
      @objc enum Mode: Int, RealmEnum { case on, off }
      @objc(FRMood) public enum Mood: Int { case calm }
      extension Mood: RealmEnum {}
      @objc enum Other: Int { case one }
      class Dog: Object {
        @objc dynamic var mode = Mode.on
      }

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.text
        == text.replacing("@objc enum Mode", with: "enum Mode").replacing("@objc(FRMood) ", with: "")
        .replacing("@objc dynamic", with: "@Persisted")
    )
    #expect(result.left == [])
  }

  @Test("Uses that change with a declaration are listed")
  func uses() throws {
    let text = """
      import Realm
      import RealmSwift
      @objc(Hound) class Dog: Object {
        let age = RealmOptional<Int>()
        @objc dynamic var name = "" { didSet { print(name) } }
        @objc dynamic var owner: Dog!
      }
      func grow(_ dog: Dog) { dog.age.value = (dog.age.value ?? 0) + 1 }
      let sorted = dogs.sorted(byKeyPath: #keyPath(Dog.name))

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.left == [
        "1: 'import Realm' was not converted: there is no Objective-C module",
        "3: @objc(Hound) was not converted: use override class func className() -> String { \"Hound\" }",
        "5: the observers of 'name' run at every assignment; Realm does not run them for stored objects",
        "6: 'owner' is now an optional instead of an implicitly unwrapped optional",
        "8: 'age.value' was not converted: write 'age' if this is the converted property",
        "9: '#keyPath(Dog.name)' was not converted: it needs Objective-C; write the name as a string",
      ]
    )
    #expect(result.text.contains("  @Persisted var owner: Dog?\n"))
  }

  @Test("A condition names the new module, so that the code below it stays in the build")
  func conditions() throws {
    let text = """
      #if canImport( RealmSwift ) && !os(Linux) // Realm
      import RealmSwift
      #elseif canImport(UIKit) || canImport(RealmSwift)
      #endif
      #if canImport(RealmSwift, _version: 10) && RealmSwift
      #elseif canImport(Realm)
      #else
      #endif

      """
    let result = try ConverterFiles.convert(text)
    #expect(
      result.text == """
        #if canImport( FiefRealm ) && !os(Linux) // Realm
        import FiefRealm
        #elseif canImport(UIKit) || canImport(FiefRealm)
        #endif
        #if canImport(RealmSwift, _version: 10) && RealmSwift
        #elseif canImport(Realm)
        #else
        #endif

        """
    )
    #expect(
      result.left == [
        "5: '#if canImport(RealmSwift, _version: 10) && RealmSwift' was not converted: without Realm the compiler may leave out the code below",
        "6: '#elseif canImport(Realm)' was not converted: without Realm the compiler may leave out the code below",
      ]
    )
  }

  @Test("A file keeps its byte order mark, its ends of lines, and a last line without one")
  func bytes() throws {
    let result = try ConverterFiles.convert(
      "\u{FEFF}import RealmSwift\r\n@objcMembers\r\nclass Dog: Object {\r\n\tdynamic var a = 0\r\n}"
    )
    #expect(
      Array(result.text.utf8)
        == Array("\u{FEFF}import FiefRealm\r\nclass Dog: Object {\r\n\t@Persisted var a = 0\r\n}".utf8)
    )
  }
}
