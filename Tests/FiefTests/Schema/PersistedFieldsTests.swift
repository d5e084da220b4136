import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

private enum FieldSize: String, PersistableEnum { case small, large }

private class FieldParent: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var parentName = ""
  var transient = [Int]()
}

private final class FieldPart: EmbeddedObject {
  @Persisted var count = 0
}

private final class FieldScalars: FieldParent {
  @Persisted var bool = false
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var data: Data
  @Persisted var date = Date(timeIntervalSince1970: 0)
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal
  @Persisted var any: AnyRealmValue
  @Persisted var size = FieldSize.small
}

private final class FieldOptionals: FieldParent {
  @Persisted var bool: Bool?
  @Persisted var int: Int?
  @Persisted var int64: Int64?
  @Persisted var string: String?
  @Persisted var date: Date?
  @Persisted var uuid: UUID?
  @Persisted var decimal: Decimal?
  @Persisted var size: FieldSize?
  @Persisted var link: FieldScalars?
  @Persisted var part: FieldPart?
  var transient2: FieldParent?
  lazy var transient3 = "none"
}

private final class FieldCollections: FieldParent {
  @Persisted var ints: List<Int>
  @Persisted var maybe: List<Int?>
  @Persisted var dates: List<Date>
  @Persisted var links: List<FieldScalars>
  @Persisted var parts: List<FieldPart>
  @Persisted var sizes: List<FieldSize>
  @Persisted var names: MutableSet<String>
  @Persisted var others: MutableSet<FieldOptionals>
  @Persisted var map: Map<String, Double?>
  @Persisted var linkMap: Map<String, FieldScalars?>
  @Persisted(originProperty: "links") var back: LinkingObjects<FieldCollections>
}

private class FieldGeneric<Content>: Object {
  @Persisted var id = 0
  var content: Content?
}

private final class FieldOfGeneric: FieldGeneric<Int> {
  @Persisted var name = ""
}

private struct FieldRepository: DatabaseConfigurable, Sendable {
  let schemaName: String? = "fields"
  let schemaVersion: UInt64? = 1
  let realmMemoryType = RealmMemoryType.inMemory(identifier: "fields")
  let objectTypes: [Object.Type]? = [FieldScalars.self, FieldOptionals.self, FieldCollections.self]
}

@Suite("Persisted fields")
struct PersistedFieldsTests {
  private final class Nested: Object { @Persisted var id = 0 }

  private static let types: [ObjectBase.Type] = [
    FieldParent.self, FieldPart.self, FieldScalars.self, FieldOptionals.self, FieldCollections.self,
    Nested.self, FieldGeneric<String>.self, FieldOfGeneric.self, Object.self, EmbeddedObject.self,
  ]

  @Test("are found as the runtime describes them", arguments: types.indices)
  func fields(index: Int) {
    _ = StoreRegistry.shared
    let type = Self.types[index]
    let found = PersistedFields.of(type)
    let expected = PersistedFields.reflected(in: type)
    #expect(found.map(\.name) == expected.map(\.name))
    #expect(found.map(\.offset) == expected.map(\.offset))
    #expect(found.map { ObjectIdentifier($0.type) } == expected.map { ObjectIdentifier($0.type) })
  }

  @Test("are found without the runtime where no class is generic")
  func withoutRuntime() {
    #if !canImport(ObjectiveC)
      #expect(DescribedFields.of(FieldScalars.self)?.count == 16)
      #expect(DescribedFields.of(FieldOptionals.self)?.count == 12)
      #expect(DescribedFields.of(FieldCollections.self)?.count == 13)
      #expect(DescribedFields.of(FieldOfGeneric.self) == nil)
    #endif
  }

  @Test("a store with every type of property works if only the runtime describes the classes")
  func runtimeOnly() async {
    #if !canImport(ObjectiveC)
      await #expect(processExitsWith: .success) {
        _ = StoreRegistry.shared
        let refused = Lock<[String]>([])
        PersistedFields.reader.withLock {
          $0 = StoredFunction { type in
            refused.withLock { $0.append("\(type)") }
            return nil
          }
        }
        let repository = FieldRepository()
        try repository.open()
        let one = FieldScalars()
        (one.id, one.int8, one.size, one.date) = (1, -8, .large, Date(timeIntervalSince1970: 5))
        let two = FieldOptionals()
        (two.id, two.string, two.link, two.part) = (2, "two", one, FieldPart())
        let three = FieldCollections()
        three.id = 3
        three.maybe.append(objectsIn: [1, nil])
        three.links.append(one)
        three.others.insert(two)
        three.map["half"] = 0.5
        try await repository.save(entity: three, update: true)

        let read = try #require(try repository.fetchObject(ofType: FieldCollections.self, forPrimaryKey: 3))
        #expect(Array(read.maybe) == [1, nil])
        #expect(read.map["half"] == 0.5)
        #expect(read.links.first?.int8 == -8)
        #expect(read.links.first?.size == .large)
        #expect(read.others.first?.string == "two")
        #expect(read.others.first?.link?.date == Date(timeIntervalSince1970: 5))
        #expect(read.others.first?.part?.count == 0)
        #expect(one.descriptor.properties.count == 16)
        #expect(Set(refused.withLock { $0 }).isSuperset(of: ["FieldScalars", "FieldOptionals", "FieldPart"]))
      }
    #endif
  }

  @Test("finding the fields of the thousandth class needs no deeper stack than those of the first")
  func depth() async {
    #if !canImport(ObjectiveC)
      _ = StoreRegistry.shared
      let found = Lock(0)
      await withCheckedContinuation { continuation in
        let thread = Thread {
          for _ in 0..<10_000 {
            let count = DescribedFields.of(Nested.self)?.count ?? 0
            found.withLock { $0 += count }
          }
          continuation.resume()
        }
        thread.stackSize = 512 << 10
        thread.start()
      }
      #expect(found.withLock { $0 } == 10_000)
    #endif
  }

  @Test("the name of a class is what Swift calls it, without the module")
  func names() {
    final class Local: Object {}
    for type in Self.types + [Local.self] {
      #expect(type.className() == String(describing: type))
    }
  }

  @Test("whether a class can be encoded is found at the first use")
  func encodability() {
    final class Encodable: Object, Codable {
      @Persisted var name = ""
      @Persisted var links: List<FieldScalars>
      func encode(to encoder: any Encoder) throws {}
      required init() { super.init() }
      required init(from decoder: any Decoder) throws { super.init() }
    }
    let descriptor = ObjectDescriptor.of(Encodable.self)
    #expect(descriptor.isEncodable)
    #expect(descriptor.isEncodable, "and stays so")
    #expect(!ObjectDescriptor.of(FieldCollections.self).isEncodable)
  }
}
