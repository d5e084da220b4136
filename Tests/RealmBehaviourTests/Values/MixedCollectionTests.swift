import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

@Suite("Lists and dictionaries in values of any type as Realm has them")
struct MixedCollectionTests {
  private static var entries: [String: AnyRealmValue] {
    [
      "key1": .string("hello"), "key2": .bool(false), "key3": .int(234), "key4": .float(789.123),
      "key5": .double(12345.678901), "key6": .data(Data("a".utf8)),
      "key7": .date(Date(timeIntervalSince1970: 5)),
      "key8": .objectId(CreatedObject.id(9)),
      "key9": .uuid(UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), "key10": .decimal128(567),
      "key11": .none,
    ]
  }
  private static var nested: AnyRealmValue {
    .fromDictionary([
      "key0": .fromDictionary(["key1": .fromArray([.fromDictionary(["key2": .fromArray([.string("deep")])])])]
      ),
      "key4": .bool(false),
    ])
  }

  private func deep(_ value: AnyRealmValue?) -> String? {
    value?.dictionaryValue?["key0"]?.dictionaryValue?["key1"]?.listValue?[0].dictionaryValue?["key2"]?
      .listValue?[0].stringValue
  }

  @Test("have values of every type, new and stored", arguments: StoreKind.allCases)
  func values(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      let holder = AnyHolder()
      let list = Self.entries.values.map { $0 }
      holder.value = AnyRealmValue.fromDictionary(Self.entries)
      #expect(holder.value.dictionaryValue == Self.entries && holder.value.listValue == nil)
      #expect(holder.value.dictionaryValue?["key3"]?.intValue == 234)
      try store.write { store.add(holder) }
      #expect(holder.value.dictionaryValue == Self.entries)
      #expect(store.objects(AnyHolder.self).first?.value == .dictionary(Self.entries))
      try store.write { holder.value = .fromArray(list) }
      #expect(store.objects(AnyHolder.self).first?.value.listValue == list)
      #expect(holder.value.dictionaryValue == nil)
      try store.write { holder.value = Self.nested }
      #expect(deep(store.objects(AnyHolder.self).first?.value) == "deep")
      try store.write { holder.value = .fromDictionary(["key": .none]) }
      #expect(store.objects(AnyHolder.self).first?.value.dictionaryValue?["key"] == AnyRealmValue.none)
    }
  }

  @Test("are made of Swift's collections", arguments: StoreKind.allCases)
  func creating(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      try store.write {
        store.create(AnyHolder.self, value: ["value": Self.entries])
        store.create(
          AnyHolder.self,
          value: [
            "value": ["key0": ["key1": [["key2": [AnyRealmValue.string("deep")]]]], "key4": false]
              as [String: Any]
          ]
        )
        store.create(AnyHolder.self, value: ["value": [[[["deep"]]], false, 2.5, nil] as [Any?]])
        store.create(AnyHolder.self, value: ["value": List<AnyRealmValue>([1, 2])])
      }
      let found = store.objects(AnyHolder.self).map(\.value)
      #expect(found[0] == .dictionary(Self.entries) && found[1] == Self.nested)
      #expect(found[2] == [[[["deep"]]], false, 2.5, nil] && found[3] == [1, 2])
      #expect(throws: FiefError.self) {
        try store.write { store.create(AnyHolder.self, value: ["value": [AnyPart()]]) }
      }
      let holder = AnyHolder(value: ["value": found[1]])
      #expect(deep(holder.value) == "deep")
    }
  }

  @Test("are changed in place", arguments: StoreKind.allCases)
  func changing(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      let holder = AnyHolder(value: ["value": ["key1": "hello", "key2": false, "key3": 234] as [String: Any]])
      holder.value.dictionaryValue?["key1"] = .data(Data("a".utf8))
      holder.value.listValue?.append(1)
      #expect(holder.value.dictionaryValue?["key1"] == .data(Data("a".utf8)))
      try store.write { store.add(holder) }
      try store.write {
        holder.value.dictionaryValue?["key1"] = .double(12345.678901)
        holder.value.dictionaryValue?["key2"] = .fromArray([1, 2])
        holder.value.dictionaryValue?["key2"]?.listValue?.append(.fromDictionary(["a": 1]))
        holder.value.dictionaryValue?["key2"]?.listValue?[2].dictionaryValue?["a"] = 3
      }
      var stored: AnyRealmValue? { store.objects(AnyHolder.self).first?.value }
      #expect(stored?.dictionaryValue?["key2"] == [1, 2, ["a": 3]] && stored == holder.value)
      let found = try #require(store.objects(AnyHolder.self).first)
      try store.write {
        found.value.dictionaryValue?["key1"] = nil
        found.value.dictionaryValue?["key2"]?.listValue?.remove(at: 0)
        found.value.dictionaryValue?["key2"]?.listValue?.removeLast()
      }
      #expect(stored == ["key2": [2], "key3": 234] && found.value == stored)
      try store.write {
        let item = found.value.dictionaryValue?["key2"]
        found.value.dictionaryValue?["key6"] = item
        found.value.dictionaryValue?["key2"]?.listValue?[0] = found.value
      }
      #expect(stored?.dictionaryValue?["key6"] == [2])
      #expect(stored?.dictionaryValue?["key2"]?.listValue?[0].dictionaryValue?["key3"] == 234)
      try store.write { found.value.dictionaryValue?.removeAll() }
      #expect(stored == [:])
      try store.write { found.value.dictionaryValue = nil }
      #expect(stored == AnyRealmValue.none)
    }
  }

  @Test("are equal by what they have")
  func equality() {
    #expect(
      AnyRealmValue.fromDictionary([:]) == .fromDictionary([:]) && AnyRealmValue.fromArray([]) == .list([])
    )
    #expect(AnyRealmValue.fromDictionary([:]) != .fromArray([]) && AnyRealmValue.fromArray([]) != .none)
    var other = Self.nested
    #expect(other == Self.nested && other.hashValue == Self.nested.hashValue)
    other.dictionaryValue?["new"] = false
    #expect(other != Self.nested && other.dictionaryValue?["key0"] == Self.nested.dictionaryValue?["key0"])
    #expect(AnyRealmValue.list([1, 2]) != .list([2, 1]) && AnyRealmValue.list([1]) != .list([1.0]))
  }

  @Test("are gone through")
  func going() {
    var count = 0
    func visit(_ value: AnyRealmValue) {
      count += 1
      switch value {
      case .list(let values): for value in values { visit(value) }
      case .dictionary(let values): for (_, value) in values { visit(value) }
      default: break
      }
    }
    visit(Self.nested)
    #expect(count == 7)
    var keys: [String] = []
    for (key, value) in Self.nested.dictionaryValue?.asKeyValueSequence() ?? [:]
    where value != AnyRealmValue.none {
      keys.append(key)
    }
    #expect(keys.sorted() == ["key0", "key4"])
  }

  @Test("change their object for observers, each by the property", arguments: StoreKind.allCases)
  func observing(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository("values", objectTypes: [AnyHolder.self]), kind)
    let store = fixture.store()
    try store.write { store.create(AnyHolder.self) }
    let holder = try #require(store.objects(AnyHolder.self).first)
    let (names, continuation) = AsyncStream.makeStream(of: [String].self)
    let token = holder.observe { change in
      if case .change(_, let properties) = change { continuation.yield(properties.map(\.name)) }
    }
    var iterator = names.makeAsyncIterator()
    let changes: [(inout AnyRealmValue) -> Void] = [
      { $0 = Self.nested },
      { $0.dictionaryValue?["key0"]?.dictionaryValue?["key1"]?.listValue?.append(.float(33.33)) },
      { $0.dictionaryValue?["key0"]?.dictionaryValue?["key1"]?.listValue?.removeAll() },
      { $0.dictionaryValue?.removeAll() },
    ]
    for change in changes {
      try store.write {
        guard let object = store.objects(AnyHolder.self).first else { return }
        change(&object.value)
      }
      #expect(await iterator.next() == ["value"])
    }
    token.invalidate()
    fixture.end()
  }

  @Test("equal others in queries, and nothing else is asked of them", arguments: StoreKind.allCases)
  func queries(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      let values: [AnyRealmValue] = [
        [1, 2], ["a": 1, "b": [2]], nil, 5, "text", .data(Data([18, 0])), [], [:],
      ]
      try store.write {
        for value in values {
          store.create(AnyHolder.self, value: ["value": value, "list": [value]] as [String: Any])
        }
      }
      let all = store.objects(AnyHolder.self)
      for value in values {
        #expect(all.where { $0.value == value }.map(\.value) == [value])
        #expect(all.where { $0.value != value }.count == 7)
        #expect(all.filter("value == %@", value).count == 1)
        #expect(all.filter("ANY list == %@", value).count == 1)
        #expect(all.where { $0.list.contains(value) }.count == 1)
      }
      #expect(all.where { $0.value.in([[1, 2], 5]) }.count == 2)
      #expect(all.where { $0.value == nil }.count == 1 && all.where { $0.value > 1 }.count == 1)
      #expect(Set(all.distinct(by: ["value"]).map(\.value)) == Set(values))
      #expect(all.sorted(by: \.value).map(\.value).first == AnyRealmValue.none)
      #expect(all.sorted(byKeyPath: "value").count == 8)
      #expect(all.value(of: \.value).map { $0 } == values)
      for text in ["value > %@", "value CONTAINS %@", "value BETWEEN {%@, 3}"] {
        #expect(throws: FiefError.self, "\(text)") { try all.filter(text, values[0]).fetchCount() }
      }
      for text in ["value.a == 1", "list[0] == 1", "set['a'] == 1"] {
        #expect(throws: FiefError.self, "\(text)") { try all.filter(text).fetchCount() }
      }
    }
  }

  @Test("are a hundred inside of each other at most", arguments: StoreKind.allCases)
  func depth(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      func value(_ depth: Int) -> AnyRealmValue {
        (0..<depth).reduce(AnyRealmValue.int(1)) { value, index in
          index.isMultiple(of: 2) ? .list([value]) : .dictionary(["a": value])
        }
      }
      try store.write { store.create(AnyHolder.self, value: ["value": value(100)]) }
      #expect(store.objects(AnyHolder.self).first?.value == value(100))
      for depth in [101, 1000] {
        let error = #expect(throws: FiefError.self) {
          try store.write { store.add(AnyHolder(value: ["value": value(depth)])) }
        }
        #expect(error?.code == .invalidValue && error?.property == "value")
      }
    }
  }

  @Test("are large", arguments: StoreKind.allCases)
  func large(_ kind: StoreKind) throws {
    let (elements, keys) = (TestEffort.count(6_000, more: 20_000), TestEffort.count(1_500, more: 5_000))
    try withValueStore(kind, [AnyHolder.self]) { store in
      let list = AnyRealmValue.list((0..<elements).map { .string("element \($0)") })
      let map = AnyRealmValue.dictionary(Dictionary((0..<keys).map { ("key \($0)", .int($0)) }) { $1 })
      try store.write {
        store.create(
          AnyHolder.self,
          value: ["value": list, "list": [map, list], "map": ["a": map]] as [String: Any]
        )
      }
      let found = try #require(store.objects(AnyHolder.self).first)
      #expect(found.value == list && found.list[0] == map && found.list[1] == list && found.map["a"] == map)
    }
  }
}
