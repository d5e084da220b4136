import Fief
import FiefEncryption
import Foundation
import Testing

final class Searched: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .fullText, secret: true) var text = ""
}

final class Expiring: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true, secret: true) var date = Date()

  override class func lifetime() -> Lifetime? { Lifetime(10, since: "date") }
}

final class Lowered: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(secret: true) var text = ""
  @Persisted(indexed: true) var lowered = ""

  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("lowered", .lowercased(of: "text"))]
  }
}

/// What secret properties refuse: an error for each that says why.
@Suite(.timeLimit(.minutes(30))) struct SecretRefusalTests {
  private let scratch: Scratch
  private let clinic: Clinic

  init() throws {
    scratch = try Scratch()
    clinic = Clinic(parent: scratch.path)
    try clinic.write { transaction in
      for number in 0..<20 {
        try transaction.add(Patient("p\(number)", "n\(number)", age: number, rank: number))
      }
    }
  }

  private func refusal(_ property: String, _ body: () throws -> Void) {
    let error = #expect(throws: FiefError.self) { try body() }
    #expect(error?.code == .invalidQuery && error?.type == "Patient" && error?.store == "clinic")
    #expect(error?.property == property)
    #expect(error?.message.contains("A secret property has no order") == true, "\(String(describing: error))")
  }

  @Test("comparisons by order, orders, extremes, groups and sections")
  func queries() throws {
    let all = clinic.store().objects(Patient.self)
    refusal("age") { _ = try all.where { $0.age > 3 }.fetchCount() }
    refusal("age") { _ = try all.filter("3 > age").fetchCount() }
    refusal("age") { _ = try all.where { !($0.age <= 3) }.fetchCount() }
    refusal("age") { _ = try all.filter("age + 1 >= 3").fetchCount() }
    refusal("age") { _ = try all.filter("age BETWEEN {1, 2}").fetchCount() }
    refusal("name") { _ = try all.where { $0.name.starts(with: "n") }.fetchCount() }
    refusal("name") { _ = try all.filter("name BEGINSWITH[c] 'n'").fetchCount() }
    refusal("number") { _ = try all.where { $0.number < "p3" }.fetchCount() }
    refusal("note") { _ = try all.where { $0.note < "p3" }.fetchCount() }
    refusal("name") { _ = try all.filter("ANY friends.name < 'x'").fetchCount() }
    refusal("age") { _ = try all.filter("friends.@max.age == 3").fetchCount() }
    refusal("age") { _ = try all.filter(#Predicate<Patient> { $0.age > 3 }).fetchCount() }
    refusal("age") { _ = try all.sorted(byKeyPath: "age").fetchCount() }
    refusal("number") { _ = try all.sorted(byKeyPath: "number", ascending: false).all() }
    refusal("age") { _ = try all.sorted(byKeyPath: "age").page(3) }
    refusal("age") { _ = try all.sorted(byKeyPath: "age").explain() }
    refusal("age") { _ = try all.fetchMin(of: \.age) }
    refusal("age") { _ = try all.fetchMax(of: \.age) }
    refusal("age") { _ = try all.explain(.max("age")) }
    refusal("name") { _ = try all.grouped(by: \.name).counts() }
    refusal("name") { _ = try all.filter("age == 3 AND name > 'x'").fetchCount() }
    #expect(try all.fetchSum(of: \.age) == 190)
    #expect(try all.fetchMin(of: \.rank) == 0)
    clinic.close()
  }

  @Test("dynamic queries, and the keys of other types")
  func dynamic() throws {
    clinic.close()
    let store = try DynamicStore(directory: scratch.path + "/clinic", encryption: .test(1))
    defer { store.close() }
    try store.read { snapshot in
      refusal("age") { _ = try snapshot.query("Patient", "age > 3").count() }
      refusal("name") { _ = try snapshot.query("Patient", "TRUEPREDICATE SORT(name ASC)").objects() }
      let named = try snapshot.query("Patient", "name == 'n3'").count()
      let numbered = try snapshot.query("Patient", "number == 'p3'").count()
      #expect(named == 1 && numbered == 1)
    }
  }

  @Test("a store in clear, with the type and the property")
  func clearStore() throws {
    clinic.close()
    for isInMemory in [false, true] {
      var clear = Clinic(parent: scratch.path, name: "clear", encryption: nil)
      clear.isInMemory = isInMemory
      let error = #expect(throws: FiefError.self) { try clear.open() }
      #expect(error?.code == .encryptionRequired && error?.store == "clear")
      #expect(error?.type == "Doctor" && error?.property == "id")
    }
  }

  @Test("declarations that would have values in clear in keys")
  func declarations() throws {
    clinic.close()
    for (type, property) in [
      (Searched.self as Object.Type, "Searched.text"), (Expiring.self, "Expiring.date"),
      (Lowered.self, "Lowered.lowered"),
    ] {
      let other = Clinic(parent: scratch.path, name: "other", types: [type])
      let error = #expect(throws: FiefError.self) { try other.open() }
      #expect(error?.code == .invalidSchema)
      #expect(error?.details.contains { $0.contains(property) && $0.contains("secret") } == true)
    }
  }

  @Test("decrypting a store with secret properties, which says what to do")
  func decrypting() throws {
    let error = #expect(throws: FiefError.self) { try clinic.decrypt() }
    #expect(error?.code == .encryptionRequired && error?.store == "clinic")
    #expect(error?.type == "Doctor" && error?.property == "id")
    #expect(error?.message.contains("migrate") == true)
    #expect(clinic.object(ofType: Patient.self, forPrimaryKey: "p3")?.age == 3)
    #expect(try clinic.check().problems == [])
    clinic.close()
  }
}
