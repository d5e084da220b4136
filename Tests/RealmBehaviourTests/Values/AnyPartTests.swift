import FiefRealm
import FiefTesting
import Foundation
import Testing

final class PartHolder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
  @Persisted var number = 0
  @Persisted var next: PartHolder?
}

@Suite("Parts of values of any type in queries as Realm has them")
struct AnyPartTests {
  private static var values: [AnyRealmValue] {
    [
      [[[["john", false], 76.54], 99], .float(20.34)],
      [
        "key0": ["key2": ["key4": ["key6": "john", "key7": false], "key5": 76.54], "key3": 99],
        "key1": .float(20.34),
      ],
      nil, 99, "john", .data(Data("john".utf8)), [], [:], [nil, 1, 2.5, "Ännchen"],
      ["a": nil, "b": 2, "": "empty", "c": [1, 2, 3]],
    ]
  }

  private func withHolders(_ kind: StoreKind, _ body: (Store, Results<PartHolder>) throws -> Void) throws {
    try withValueStore(kind, [PartHolder.self]) { store in
      try store.write {
        var last: PartHolder?
        for (id, value) in Self.values.enumerated() {
          let holder = PartHolder()
          (holder.id, holder.any, holder.next) = (id, value, last)
          holder.number = id == 3 ? 99 : 2
          holder.anys.append(objectsIn: [value, 5])
          holder.map["key"] = value
          store.add(holder)
          last = holder
        }
      }
      try body(store, store.objects(PartHolder.self))
    }
  }

  private func expect(
    _ results: Results<PartHolder>,
    _ ids: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try results.sorted(by: \.id).all().map(\.id) == ids, sourceLocation: sourceLocation)
  }

  @Test("are found in lists by their places", arguments: StoreKind.allCases)
  func places(_ kind: StoreKind) throws {
    try withHolders(kind) { _, all in
      try expect(all.where { $0.any[1] == .float(20.34) }, [0])
      try expect(all.where { $0.any[0][1] == .int(99) }, [0])
      try expect(all.where { $0.any[0][0][1] == .double(76.54) }, [0])
      try expect(all.where { $0.any[0][0][0][0] == "john" && $0.any[0][0][0][1] == false }, [0])
      try expect(all.where { $0.any[0][1] >= 99 && $0.any[0][1] <= 99 }, [0])
      try expect(all.where { $0.any[0][1] != 99 }, [1, 2, 3, 4, 5, 6, 7, 8, 9])
      try expect(all.where { $0.any[-1] == "Ännchen" }, [8])
      try expect(
        all.where { $0.any[3].starts(with: "an", options: [.caseInsensitive, .diacriticInsensitive]) },
        [8]
      )
      try expect(all.where { $0.any[2] == 2.5 && $0.any[2] > 2 && $0.any[2] < 3 }, [8])
      try expect(all.where { $0.any[0] == [[["john", false], 76.54], 99] }, [0])
      try expect(all.where { $0.any[1].in([1, .float(20.34)]) }, [0, 8])
      try expect(all.where { $0.any[4] == 1 }, [])
      try expect(all.filter("any[%@] == %@", 1, AnyRealmValue.float(20.34)), [0])
      try expect(all.filter("any[%@][%@][%@] == %@", 0, 0, 1, AnyRealmValue.double(76.54)), [0])
      try expect(all.filter("any[1] == 1 OR any[LAST] == 'Ännchen' OR any[FIRST][LAST] == 99"), [0, 8])
      try expect(all.filter("any[-1] LIKE[c] 'ä*'"), [8])
    }
  }

  @Test("are found in dictionaries by their keys", arguments: StoreKind.allCases)
  func keys(_ kind: StoreKind) throws {
    try withHolders(kind) { _, all in
      try expect(all.where { $0.any["key1"] == .float(20.34) }, [1])
      try expect(all.where { $0.any["key0"]["key3"] == 99 }, [1])
      try expect(all.where { $0.any["key0"]["key2"]["key5"] == 76.54 }, [1])
      try expect(all.where { $0.any["key0"]["key2"]["key4"]["key7"] == false }, [1])
      try expect(all.where { $0.any["c"][1] == 2 && $0.any[""] == "empty" }, [9])
      try expect(all.where { $0.any["key0"]["key3"] != 99 }, [0, 2, 3, 4, 5, 6, 7, 8, 9])
      try expect(all.where { $0.any["#any"] == .float(20.34) }, [])
      try expect(all.where { $0.any["key2"] == 1 || $0.any["key0"][0] == 1 || $0.any[0]["a"] == 1 }, [])
      try expect(all.where { $0.any["b"] == $0.number }, [9])
      try expect(all.where { $0.any["b"] + 1 == 3 }, [9])
      try expect(all.where { $0.next.any["key1"] > 20 }, [2])
      try expect(all.where { $0.map["key"]["key0"]["key3"] == 99 }, [1])
      try expect(all.filter("any['key0'][%@] == %@", "key3", 99), [1])
      try expect(all.filter("any[$0][$1] == $2", "key0", "key3", 99), [1])
      try expect(all.filter("next.any['b'] == number OR map['key']['b'] == 2"), [9])
    }
  }

  @Test("that are not there are nil", arguments: StoreKind.allCases)
  func absent(_ kind: StoreKind) throws {
    try withHolders(kind) { _, all in
      try expect(all.where { $0.any["b"] != nil }, [9])
      try expect(all.where { $0.any[0] != nil }, [0])
      try expect(all.where { $0.any["a"] == nil }, Array(0...9))
      try expect(all.filter("any[1] != nil AND any[0] == nil"), [8])
    }
  }

  @Test("are asked all at once", arguments: StoreKind.allCases)
  func wildcards(_ kind: StoreKind) throws {
    try withHolders(kind) { _, all in
      try expect(all.where { $0.any.any == .float(20.34) }, [0, 1])
      try expect(all.where { $0.any[0][0].any == 76.54 }, [0])
      try expect(all.where { $0.any[0][0][0].any == "john" && $0.any[0][0][0].any == false }, [0])
      try expect(all.where { $0.any["key0"].any >= 99 && $0.any["key0"].any <= 99 }, [1])
      try expect(all.where { $0.any["key0"]["key2"].any == 76.54 }, [1])
      try expect(all.where { $0.any.any.any == 99 }, [0, 1])
      try expect(all.where { $0.any.any[1] == 2 }, [9])
      try expect(all.where { $0.any.any == nil }, [8, 9])
      try expect(all.where { $0.any.any > 2 }, [0, 1, 8])
      try expect(all.where { $0.any.any.sum > 3 }, [0, 1, 8])
      try expect(all.where { $0.anys.any { $0["b"] == 2 } }, [9])
      try expect(all.filter("any[%K] == %@", "#any", AnyRealmValue.float(20.34)), [0, 1])
      try expect(all.filter("any[%@][%K] == %@", "key0", "#any", 99), [1])
      try expect(all.filter("any[%@] == %@", "#any", AnyRealmValue.float(20.34)), [])
      try expect(all.filter("any[*] == 2 OR any[*][*] == 99"), [0, 1, 9])
      try expect(all.filter("ANY any['c'][*] == 3 AND NONE any['c'][*] > 3"), [9])
      try expect(all.filter("ALL any['c'][*] > 0 AND any['c'] != nil"), [9])
      try expect(all.filter("'john' IN any[0][0][0][*] OR any[*] CONTAINS 'empty'"), [0, 9])
      try expect(all.filter("SUBQUERY(any[*], $part, $part > 1).@count == 1 AND any[1] != nil"), [0, 8])
      try expect(
        all.filter("any['c'][*].@sum == 6 AND any['c'][*].@max == 3 AND any['c'][*].@count == 3"),
        [9]
      )
      try expect(all.filter("any.@keys == 'key1' OR any.@keys BEGINSWITH 'c'"), [1, 9])
      try expect(all.filter("anys[*] == 99 OR anys[*][*] == 'empty'"), [3, 9])
    }
  }

  @Test("have a size and a type", arguments: StoreKind.allCases)
  func sizes(_ kind: StoreKind) throws {
    try withHolders(kind) { _, all in
      try expect(all.filter("any.@size == 2 OR any.@count == 0"), [0, 1, 6, 7])
      try expect(all.filter("any['c'].@size == 3 OR any[0].@size == 2"), [0, 9])
      try expect(all.where { $0.any.length == 4 }, [4, 5, 8, 9])
      try expect(all.filter("any.@type == 'list' OR any.@type == 'null'"), [0, 2, 6, 8])
      try expect(all.filter("any.@type == 'dictionary' AND any['key1'].@type == 'numeric'"), [1])
      try expect(all.filter("any.@type IN {'int', 'string', 'binary'}"), [3, 4, 5])
      try expect(
        all.filter("any.@type != 'numeric' AND any.@type != 'list' AND NOT any.@type == 'null'"),
        [1, 4, 5, 7, 9]
      )
      try expect(all.filter("any[2].@type == %@ OR any[0][0][0][1].@type == 'bool'", "double"), [0, 8])
      try expect(all.filter("ANY anys.@type == 'string' OR any[*].@type == 'list'"), [0, 4, 9])
      for text in ["any.@type == 'float'", "any.@type > 'int'", "any.@type == 1", "number.@type == 'int'"] {
        let error = #expect(throws: FiefError.self, "\(text)") { try all.filter(text).fetchCount() }
        #expect(error?.code == .invalidQuery, "\(text)")
      }
    }
  }

  @Test("order, and are seen with what changes them", arguments: StoreKind.allCases)
  func orderAndChanges(_ kind: StoreKind) throws {
    try withHolders(kind) { store, all in
      let ordered = try all.query("any['c'] != nil OR any[1] != nil SORT(any[1] DESC, id)").all()
      #expect(ordered.map(\.id) == [0, 8, 9])
      let found = all.where { $0.any["c"][0] == 10 }
      #expect(found.isEmpty)
      try store.write {
        all.where { $0.id == 9 }.first?.any.dictionaryValue?["c"]?.listValue?[0] = 10
        #expect(found.count == 1)
      }
      #expect(found.first?.id == 9)
    }
  }

  @Test("of what has none are errors, and never empty", arguments: StoreKind.allCases)
  func refused(_ kind: StoreKind) throws {
    try withHolders(kind) { _, all in
      let texts = [
        "number[0] == 1", "number['a'] == 1", "number[*] == 1", "anys[0] == 1", "any[1.5] == 1",
        "any[-2] == 1",
        "any[true] == 1", "any[] == 1", "any[0] == 1 AND any[", "any.name == 1", "any[0].name == 1",
        "next[0] == 1",
        "any.@sum == 1", "'a' IN any", "any[0] > {1}", "any[*] SORT(any[*])",
      ]
      for text in texts {
        let error = #expect(throws: FiefError.self, "\(text)") { try all.filter(text).fetchCount() }
        let codes: [FiefError.Code] = [.invalidQuery, .malformedQuery, .unknownProperty]
        #expect(error.map { codes.contains($0.code) } == true, "\(text)")
      }
      #expect(throws: FiefError.self) { try all.where { $0.any[-2] == 1 }.fetchCount() }
      #expect(throws: FiefError.self) { try all.where { $0.any[0] > [1] }.fetchCount() }
      let error = #expect(throws: FiefError.self) { try all.filter("any[%K] == 1", 3).fetchCount() }
      #expect(error?.code == .invalidQuery)
    }
  }
}
