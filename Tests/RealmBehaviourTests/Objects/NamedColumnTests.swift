import FiefRealm
import FiefTesting
import Foundation
import Testing

private enum ColumnKind: Int, PersistableEnum {
  case first = 1
  case second = 2
}

private class ColumnPart: EmbeddedObject {
  @Persisted var amount = 0
  override class func propertiesMapping() -> [String: String] { ["amount": "custom_amount"] }
}

private class ColumnThing: Object {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted var amount = 0
  @Persisted var any: AnyRealmValue
  @Persisted var kind = ColumnKind.first
  @Persisted var link: ColumnThing?
  @Persisted var list: List<ColumnThing>
  @Persisted var set: MutableSet<ColumnThing>
  @Persisted var map: Map<String, ColumnThing?>
  @Persisted var part: ColumnPart?
  @Persisted var numbers: List<Int>

  override class func propertiesMapping() -> [String: String] {
    [
      "key": "custom_key", "amount": "custom_amount", "any": "custom_any", "kind": "custom_kind",
      "link": "custom_link", "list": "custom_list", "set": "custom_set", "map": "custom_map",
      "part": "custom_part", "numbers": "custom_numbers",
    ]
  }

  convenience init(_ amount: Int) {
    self.init()
    self.amount = amount
  }
}

/// Classes whose columns have names of their own: code uses the names of the properties everywhere.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct NamedColumnTests {
  private let realm: Realm
  private let thing: ColumnThing

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [ColumnThing.self, ColumnPart.self]
      )
    )
    let linked = ColumnThing(5)
    thing = ColumnThing(1)
    thing.link = linked
    thing.list.append(objectsIn: [linked, ColumnThing(7)])
    thing.set.insert(linked)
    thing.map["one"] = linked
    thing.map["two"] = ColumnThing(9)
    thing.part = ColumnPart(value: ["amount": 3])
    try realm.write { [realm, thing] in realm.add(thing) }
  }

  @Test func schemasHaveBothNames() {
    let schema = ColumnThing().objectSchema
    #expect(schema.properties.allSatisfy { $0.columnName == "custom_" + $0.name })
    #expect(ColumnPart().objectSchema["amount"]?.columnName == "custom_amount")
    #expect(schema.description.contains("columnName = custom_amount;"))
    #expect(realm.dynamicObjects("ColumnThing").first?.objectSchema == schema)
  }

  @Test func objectsAreMadeAndFound() throws {
    let key = ObjectId.generate()
    try realm.write {
      realm.create(
        ColumnThing.self,
        value: [
          "key": key, "amount": 123, "any": AnyRealmValue.int(345), "kind": ColumnKind.second,
          "link": ColumnThing(2), "list": [ColumnThing(2)], "set": [ColumnThing(2)],
          "map": ["key": ColumnThing(2)], "part": ColumnPart(), "numbers": [123],
        ] as [String: Any]
      )
    }
    let found = realm.object(ofType: ColumnThing.self, forPrimaryKey: key)
    #expect(found?.amount == 123 && found?.kind == .second && found?.any == .int(345))
    #expect(found?.map["key"]??.amount == 2 && found.map { Array($0.numbers) } == [123])
  }

  @Test func questionsUseTheNamesOfProperties() {
    let all = realm.objects(ColumnThing.self)
    #expect(all.where { $0.amount == 1 }.count == 1 && all.where { $0.link.amount == 5 }.count == 1)
    #expect(all.where { $0.part.amount == 3 }.count == 1 && all.filter("part.amount == 3").count == 1)
    let name = _name(for: \ColumnThing.amount)
    #expect(name == "amount" && all.filter("\(name) == 1").count == 1)
    #expect(all.filter("\(_name(for: \ColumnThing.link?.amount)) == 5").count == 1)
    let sorted = all.sorted(byKeyPath: name)
    #expect(sorted.index(matching: { $0.amount == 5 }) == 1 && sorted.index(matching: "amount == 7") == 2)
    #expect(all.distinct(by: [name]).count == 4 && all.distinct(by: [\.kind]).count == 1)
    #expect(sorted.map(\.amount) == [1, 5, 7, 9])
    #expect(all.sorted(by: [SortDescriptor(keyPath: name, ascending: false)]).first?.amount == 9)
    let sections = all.sectioned(by: \.amount, ascending: true)
    #expect(sections.allKeys == [1, 5, 7, 9] && sections.allSatisfy { $0.count == 1 })
  }

  @Test func valuesAreReadAndAssignedByName() throws {
    let all = realm.objects(ColumnThing.self)
    try realm.write {
      all.setValue(4, forKey: "amount")
      #expect(all.value(forKey: "amount") as? [Int] == [4, 4, 4, 4])
      thing[_name(for: \ColumnThing.amount)] = 6
      thing.setValue(8, forKeyPath: _name(for: \ColumnThing.link?.amount))
      thing.setValue(ColumnKind.second, forKey: "kind")
    }
    #expect(thing.value(forKey: "amount") as? Int == 6 && thing.kind == .second)
    #expect(thing.value(forKeyPath: "link.amount") as? Int == 8)
    #expect(thing.value(forKeyPath: "link.link.amount") == nil)
    let read = try #require(realm.object(ofType: ColumnThing.self, forPrimaryKey: thing.key))
    #expect(read.list.value(forKey: "amount") as? [Int] == [8, 4])
    #expect(read.set.value(forKey: "amount") as? [Int] == [8])
    #expect(read.list.value(forKeyPath: "amount") as? [Int] == [8, 4])
    #expect(realm.objects(ColumnThing.self).value(forKeyPath: "link.amount") as? [Int] == [8])
    #expect((read.map.value(forKey: "one") ?? nil)?.amount == 8)
    #expect((read["list"] as? List<ColumnThing>)?.count == 2)
    #expect((read["set"] as? MutableSet<ColumnThing>)?.count == 1)
    #expect((read["map"] as? Map<String, ColumnThing?>)?.count == 2)
    try realm.write {
      read.setValue([1, 2], forKey: "numbers")
      #expect(Array(read.numbers) == [1, 2])
      read.setValue(nil, forKey: "numbers")
    }
    #expect(read.numbers.isEmpty)
    try realm.write { read.map.setValue(ColumnThing(11), forKey: "one") }
    #expect((read.map.value(forKey: "one") ?? nil)?.amount == 11)
    let dynamic = try #require(realm.dynamicObjects("ColumnThing").filter("amount == 11").first)
    try realm.write { dynamic["amount"] = 12 }
    #expect(dynamic["amount"] as? Int == 12)
    let events = withExpectedEvents {
      #expect(read.value(forKeyPath: "list.amount") == nil && read.value(forKey: "nothing") == nil)
      read.setValue(1, forKeyPath: "part.nothing")
    }
    #expect(events.map { $0.failure?.code } == [.unknownProperty, .unknownProperty, .unknownProperty])
  }

  @Test func valuesAreAggregated() {
    let all = realm.objects(ColumnThing.self)
    #expect(all.average(of: \.amount) == 5.5 && all.average(ofProperty: "amount") as Double? == 5.5)
    #expect(all.sum(of: \.amount) == 22 && all.sum(ofProperty: "amount") as Int == 22)
    #expect(all.max(of: \.amount) == 9 && all.max(ofProperty: "amount") as Int? == 9)
    #expect(all.min(of: \.amount) == 1 && all.min(ofProperty: "amount") as Int? == 1)
    let map = thing.map
    #expect(map.max(of: \.amount) == 9 && map.min(of: \.amount) == 5 && map.sum(of: \.amount) == 14)
    #expect(map.average(of: \.amount) == 7)
    #expect(map.results.sorted(byKeyPath: "amount", ascending: false).first?.amount == 9)
  }

  @Test func changesAreToldByTheNamesOfProperties() async throws {
    let told = Lock<[String]>([])
    let queue = DispatchQueue(label: "changes")
    let one = thing.observe(keyPaths: [\ColumnThing.amount, \ColumnThing.link?.amount], on: queue) { change in
      if case .change(_, let properties) = change {
        told.withLock { $0.append(contentsOf: properties.map { "object \($0.name)" }) }
      }
    }
    let all = realm.objects(ColumnThing.self).observe(keyPaths: [\.amount], on: queue) { change in
      told.withLock { told in
        switch change {
        case .initial: told.append("initial")
        case .update(_, _, _, let modifications): told.append("results \(modifications.count)")
        case .error(let error): told.append("\(error)")
        }
      }
    }
    while !told.withLock({ $0.contains("initial") }) { try await Task.sleep(for: .milliseconds(1)) }
    try realm.write { thing.numbers.append(7) }
    try realm.write { thing.amount = 2 }
    while told.withLock({ $0.count }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(told.withLock { Set($0) } == ["initial", "object amount", "results 1"])
    try realm.write { thing.link?.amount = 6 }
    while told.withLock({ $0.count }) < 5 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(told.withLock { $0.contains("object link") && $0.count == 5 })
    one.invalidate()
    all.invalidate()
  }
}
