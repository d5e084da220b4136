import FiefRealm
import Foundation
import RealmExporter
import Testing

private enum Mood: String, PersistableEnum { case calm, wild }

private class Spot: EmbeddedObject {
  @Persisted var city: String
  @Persisted var stop: Stop?
  @Persisted var inner: Spot?
  @Persisted var any: AnyRealmValue
}

private class Walker: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Spot?
  @Persisted var homes: List<Spot>
  @Persisted var spots: Map<String, Spot?>
  @Persisted var moods: MutableSet<Mood>
  @Persisted var levels: List<Int>
  @Persisted var maybes: List<Int?>
  @Persisted var ratio: Double
  @Persisted var born: Date
  @Persisted var content: AnyRealmValue
  @Persisted var contents: List<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
  @Persisted var stop: Stop?

  override class func propertiesMapping() -> [String: String] { ["ratio": "walk_ratio"] }
}

private class Stop: Object {
  @Persisted var number: Int
  @Persisted var next: Stop?
  @Persisted var walker: Walker?
}

/// The exporter of *Coming from Realm*, which runs with a stand-in for RealmSwift.
@Suite("The exporter of the article") struct ExporterTests {
  private static let code = URL(filePath: #filePath).appending(
    path: "../../../Support/RealmExporter/Exporter.swift"
  ).standardizedFileURL
  private static let article = URL(filePath: #filePath).appending(
    path: "../../../../Sources/Fief/Fief.docc/ComingFromRealm.md"
  ).standardizedFileURL

  @Test("is the code that the article shows") func text() throws {
    let code = try String(contentsOf: Self.code, encoding: .utf8)
    let article = try String(contentsOf: Self.article, encoding: .utf8)
    #expect(article.contains("```swift\n// Before: Realm\n\(code)```\n"))
  }

  @Test("exports embedded objects, lists in values of any type, and objects without keys")
  func export() throws {
    try ToolStores.withDirectory { directory in
      let file = URL(filePath: directory).appending(path: "export.jsonl")
      let count = 300
      let (counts, accessors) = try exportSample(to: file, stops: count)
      #expect(counts == ["Walker": 2, "Stop": count])
      // Each object is read once, although each stop links another.
      #expect(accessors == count + 2)
      let configuration = Realm.Configuration(
        fileURL: URL(filePath: directory).appending(path: "walks.realm"),
        objectTypes: [Walker.self, Stop.self, Spot.self]
      )
      #expect(try Realm.importObjects(from: file, configuration: configuration))
      let realm = try Realm(configuration: configuration)
      defer { realm.close() }
      let ada = try #require(realm.object(ofType: Walker.self, forPrimaryKey: "Ada"))
      let bob = try #require(realm.object(ofType: Walker.self, forPrimaryKey: "Bob"))
      checkParts(ada, last: count - 1)
      try checkValues(ada)
      #expect(ada.stop?.number == 0 && ada.stop?.next?.number == 1 && ada.stop?.walker == ada)
      let stops = realm.objects(Stop.self)
      #expect(stops.count == count && stops.allSatisfy { $0.next?.number == ($0.number + 1) % count })
      #expect(bob.home == nil && bob.homes.isEmpty && bob.stop == nil && bob.ratio == 0.5)
      let deep = AnyRealmValue.list([.string("deep")])
      let id = try AnyRealmValue.objectId(ObjectId(string: "507f1f77bcf86cd799439011"))
      #expect(bob.content == .dictionary(["x": deep, "id": id]))
    }
  }

  private func checkParts(_ ada: Walker, last: Int) {
    #expect(ada.home?.city == "Kyiv" && ada.home?.any == .int(5) && ada.home?.inner?.city == "inside")
    #expect(ada.home?.stop?.number == last && ada.home?.inner?.stop?.number == last)
    #expect(ada.homes.map(\.city) == ["Oslo", "Rome"] && ada.homes.last?.any == AnyRealmValue.none)
    #expect(ada.spots.count == 2 && ada.spots["a"]??.city == "Bern" && (ada.spots["b"] ?? nil) == nil)
    #expect(Array(ada.moods) == [.wild] && Array(ada.levels) == [7] && Array(ada.maybes) == [1, nil])
    #expect(ada.ratio == .infinity && ada.born == Date(timeIntervalSinceReferenceDate: 0.5))
  }

  private func checkValues(_ ada: Walker) throws {
    guard case .list(let values) = ada.content, values.count == 12 else {
      Issue.record("\(ada.content)")
      return
    }
    #expect(Array(values[..<5]) == [.int(1), .double(1.5), .float(2.5), .bool(true), .none])
    #expect(values[5] == .string("text") && values[6] == .date(Date(timeIntervalSinceReferenceDate: 8)))
    #expect(values[7] == .data(Data([1, 2])))
    #expect(values[8].object(Stop.self)?.number == 1 && values[9].object(Walker.self)?.name == "Bob")
    #expect(values[10] == .list([.int(2)]))
    #expect(values[11] == .dictionary(["k": .decimal128(1.5), "n": .none]))
    #expect(ada.contents[0] == .int(3) && ada.contents[1] == .list([.string("in")]))
    #expect(ada.contents[2].object(Stop.self)?.number == 0 && ada.contents[3] == AnyRealmValue.none)
    #expect(ada.named["d"] == .dictionary(["e": .bool(false)]))
    guard case .float(let value)? = ada.named["f"] else { Issue.record("no float"); return }
    #expect(value.isNaN)
  }
}
