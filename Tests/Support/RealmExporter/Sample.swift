public import Foundation
import Realm
import RealmSwift

// Objects of a realm that the exporter of *Coming from Realm* exports. They have the forms in which Realm
// gives values that are read by their names.

private final class Walker: Object {}
private final class Stop: Object {}

private enum Mood: String, PersistableEnum { case calm, wild }

private struct Level: CustomPersistable {
  let persistableValue: Int
}

private let address = ObjectSchema(
  "Spot",
  isEmbedded: true,
  [Property("city", .string), Property("stop", .object), Property("inner", .object), Property("any", .any)]
)

private let walker = ObjectSchema(
  "Walker",
  key: "name",
  [
    Property("name", .string), Property("home", .object), Property("homes", .object, .array),
    Property("spots", .object, .map), Property("moods", .string, .set), Property("levels", .int, .array),
    Property("maybes", .int, .array), Property("ratio", .double, column: "walk_ratio"),
    Property("born", .date), Property("content", .any), Property("contents", .any, .array),
    Property("named", .any, .map), Property("stop", .object), Property("followers", .linkingObjects, .array),
  ]
)

private let stop = ObjectSchema(
  "Stop",
  [Property("number", .int), Property("next", .object), Property("walker", .object)]
)

/// Exports a sample: two walkers with every form of embedded objects and of values of any type, and a circle
/// of stops, which have no primary key.
///
/// - Returns: the numbers of objects by class, and how many accessors of objects the export made.
public func exportSample(to url: URL, stops count: Int) throws -> (counts: [String: Int], accessors: Int) {
  let file = Realm.File([walker, address, stop])
  let stops = (0..<count).map { _ in Stop() }
  for (number, stop) in stops.enumerated() {
    stop.values = ["number": number, "next": stops[(number + 1) % count]]
    file.add(stop)
  }
  func spot(_ city: String, _ inner: EmbeddedObject? = nil, any: Any = NSNull()) -> EmbeddedObject {
    EmbeddedObject(address, ["city": city, "stop": stops[count - 1], "inner": inner as Any, "any": any])
  }
  let (ada, bob) = (Walker(), Walker())
  ada.values = [
    "name": "Ada", "home": spot("Kyiv", spot("inside"), any: NSNumber(value: 5)),
    "homes": List([spot("Oslo"), spot("Rome")]),
    "spots": Map<String, EmbeddedObject?>(["a": spot("Bern"), "b": nil]),
    "moods": MutableSet([Mood.wild]), "levels": List([Level(persistableValue: 7)]), "maybes": List([1, nil]),
    "ratio": NSNumber(value: Double.infinity), "born": NSDate(timeIntervalSinceReferenceDate: 0.5) as Date,
    "content": RLMArray([
      NSNumber(value: 1), NSNumber(value: 1.5), NSNumber(value: Float(2.5)), NSNumber(value: true), nil,
      NSString("text"), NSDate(timeIntervalSinceReferenceDate: 8), NSData(data: Data([1, 2])), stops[1], bob,
      RLMArray([NSNumber(value: 2)]), RLMDictionary(["k": Decimal128("1.5"), "n": nil]),
    ]),
    "contents": List<AnyRealmValue>([.int(3), .list(List([.string("in")])), .object(stops[0]), .none]),
    "named": Map<String, AnyRealmValue>(["d": .dictionary(Map(["e": .bool(false)])), "f": .float(.nan)]),
    "stop": stops[0],
  ]
  bob.values = [
    "name": "Bob", "homes": List<EmbeddedObject>([]), "spots": Map<String, EmbeddedObject?>([:]),
    "moods": MutableSet<Mood>([]), "levels": List<Level>([]), "maybes": List<Int?>([]),
    "ratio": NSNumber(value: 0.5), "born": Date(timeIntervalSinceReferenceDate: -1),
    "content": RLMDictionary(["x": RLMArray([NSString("deep")]), "id": ObjectId("507f1f77bcf86cd799439011")]),
    "contents": List<AnyRealmValue>([]), "named": Map<String, AnyRealmValue>([:]),
  ]
  stops[0].values["walker"] = ada
  file.add(ada)
  file.add(bob)
  let counts = try RealmExporter(Realm.Configuration(file)).export(to: url)
  return (counts, file.accessors)
}
