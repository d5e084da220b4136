/// Sources of programs that the tests build.
enum ProgramText {
  /// Opens a store in memory, and says whether it could.
  static let dog = ##"""
    import Fief

    final class Dog: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
    }

    struct Kennel: DatabaseConfigurable {
      var realmMemoryType: RealmMemoryType { .inMemory(identifier: "kennel") }
      var schemaName: String? { "kennel" }
      var schemaVersion: UInt64? { 1 }
      var objectTypes: [Object.Type]? { [Dog.self] }
      var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    }

    if let error = Kennel().store().openingError { print("error", error) } else { print("opened") }

    """##

  /// Opens a store in memory and asks it; its first argument says what it does.
  static let dogs = ##"""
    import Fief
    import Foundation
    import Glibc

    final class Toy: EmbeddedObject {
      @Persisted var name = ""
    }

    final class Dog: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var owner: Dog?
      @Persisted var weights: List<Int>
      @Persisted var toy: Toy?
    }

    struct Kennel: DatabaseConfigurable {
      var isNamed = true
      var realmMemoryType: RealmMemoryType { .inMemory(identifier: "kennel") }
      var schemaName: String? { "kennel" }
      var schemaVersion: UInt64? { 1 }
      var objectTypes: [Object.Type]? { isNamed ? [Dog.self] : nil }
      var embeddedObjectTypes: [EmbeddedObject.Type]? { isNamed ? [Toy.self] : nil }
    }

    struct Sections {
      var version: UInt = 99
      var rest: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (1, 1, 1, 1, 1, 1, 1, 1, 1)
    }

    // Takes the place of the runtime's function: the library is in the same image.
    @_cdecl("swift_enumerateAllMetadataSections")
    public func enumerateSections(
      _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool,
      _ context: UnsafeMutableRawPointer?
    ) {
      if CommandLine.arguments[1] == "unknown-version" {
        var sections = Sections()
        _ = body(&sections, context)
        return
      }
      typealias Enumerate = @convention(c) (
        @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool, UnsafeMutableRawPointer?
      ) -> Void
      // RTLD_NEXT
      guard let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "swift_enumerateAllMetadataSections") else { return }
      unsafeBitCast(next, to: Enumerate.self)(body, context)
    }

    func predicates(_ store: Store) throws {
      try store.write { transaction in
        let dog = Dog(value: ["id": 1, "name": "Rex", "weights": [3, 5]])
        try transaction.add(dog, update: .all)
      }
      try store.read { snapshot in
        let dogs = snapshot.objects(Dog.self)
        // Literals in a #Predicate cost the compiler seconds.
        let (one, zero, start): (Int, Int, String) = (1, 0, "R")
        let found = dogs.filter(#Predicate<Dog> { $0.id == one && $0.name.starts(with: start) && !($0.id + one == zero) })
        print("found", try found.all().count)
        print("longest", try dogs.filter(#Predicate<Dog> { $0.weights.contains { $0 == 5 } }).all().count)
      }
      print("optional", Int?.self is any Persistable.Type)
      print("encodable", AnyRealmValue.self is any Encodable.Type && List<Int>.self is any Encodable.Type)
      print("sequence", Results<Dog>.self is any Sequence.Type)
    }

    do {
      switch CommandLine.arguments[1] {
      case "unknown-version":
        let store = Kennel(isNamed: CommandLine.arguments[2] == "named").store()
        if let error = store.openingError { throw error }
        print("opened")
      default:
        try predicates(Kennel().store())
      }
    } catch {
      print("error", error)
    }

    """##
}
