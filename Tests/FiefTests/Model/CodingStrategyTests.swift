import Fief
import Foundation
import Testing

/// Every type that a strategy of a coder may be about, in each place of an object. Neither it nor its inverse names keys.
final class StrategyEvent: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var startDate = Date(timeIntervalSince1970: 0)
  @Persisted var endDate: Date?
  @Persisted var otherDates: List<Date>
  @Persisted var daySet: MutableSet<Date>
  @Persisted var namedDates: Map<String, Date>
  @Persisted var noDates: Map<String, Date?>
  @Persisted var anyValue: AnyRealmValue
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var content = Data()
  @Persisted var otherContent: Data?
  @Persisted var contents: List<Data>
  @Persisted var price: Decimal
  @Persisted var otherPrice: Decimal?
  @Persisted var prices: List<Decimal>
  @Persisted var ratio = 0.5
  @Persisted var ratios: List<Double>
  @Persisted var single: Float
  @Persisted var identifier: UUID
  @Persisted var documentId: ObjectId
  @Persisted var size: TypedSize
  @Persisted var parentEvent: StrategyEvent?
  @Persisted var part: StrategyPart?
  @Persisted(originProperty: "parentEvent") var children: LinkingObjects<StrategyEvent>
}

final class StrategyPart: EmbeddedObject, Codable {
  @Persisted var partDate = Date(timeIntervalSince1970: 0)
}

@Suite("The strategies of coders")
struct CodingStrategyTests {
  private static let date = Date(timeIntervalSince1970: 1_700_000_000)
  private static let other = Date(timeIntervalSince1970: -86_400)

  private func sample() -> StrategyEvent {
    let event = StrategyEvent()
    event.id = 1
    event.startDate = Self.date
    event.endDate = Self.other
    event.otherDates.append(objectsIn: [Self.date, Self.other])
    event.daySet.insert(Self.date)
    event.namedDates["firstDay"] = Self.date
    event.noDates.merge(["lastDay": nil, "nextDay": Self.other])
    event.anyValue = .date(Self.date)
    event.anyList.append(objectsIn: [.data(Data([1, 2])), .decimal128(1.5), .int(7), .none])
    event.content = Data([1, 2, 3])
    event.otherContent = Data([4])
    event.contents.append(Data([5]))
    event.price = Decimal(string: "12345678901234567890.25") ?? 0
    event.otherPrice = 2.5
    event.prices.append(objectsIn: [1, 0.1])
    event.ratios.append(objectsIn: [0.25])
    event.parentEvent = StrategyEvent(value: ["id": 2, "startDate": Self.other])
    event.part = StrategyPart(value: ["partDate": Self.date])
    return event
  }

  private func check(_ found: StrategyEvent, like event: StrategyEvent) {
    #expect(found.startDate == event.startDate && found.endDate == event.endDate)
    #expect(Array(found.otherDates) == Array(event.otherDates))
    #expect(Array(found.daySet) == Array(event.daySet))
    #expect(found.namedDates.dictionary == event.namedDates.dictionary)
    #expect(found.noDates.dictionary == event.noDates.dictionary)
    #expect(found.anyValue == event.anyValue && Array(found.anyList) == Array(event.anyList))
    #expect(found.content == event.content && found.otherContent == event.otherContent)
    #expect(Array(found.contents) == Array(event.contents))
    #expect(found.price == event.price && found.otherPrice == event.otherPrice)
    #expect(Array(found.prices) == Array(event.prices) && Array(found.ratios) == Array(event.ratios))
    #expect(found.identifier == event.identifier && found.documentId == event.documentId)
    #expect(found.parentEvent?.startDate == Self.other && found.part?.partDate == Self.date)
  }

  private func members(_ document: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
  }

  /// The encoder's own output for a value alone.
  private func plain<Value: Encodable>(_ value: Value, _ encoder: JSONEncoder) throws -> NSObject {
    let document = try encoder.encode([value])
    let values = try #require(try JSONSerialization.jsonObject(with: document) as? [NSObject])
    return try #require(values.first)
  }

  private static let dateStrategies: [(JSONEncoder.DateEncodingStrategy, JSONDecoder.DateDecodingStrategy)] =
    {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "yyyy/MM/dd HH:mm:ss"
      return [
        (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
        (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
        (.formatted(formatter), .formatted(formatter)),
        (
          .custom { date, encoder in try "day \(Int(date.timeIntervalSince1970))".encode(to: encoder) },
          .custom { decoder in
            let text = try String(from: decoder)
            return Date(timeIntervalSince1970: Double(text.dropFirst(4)) ?? 0)
          }
        ),
      ]
    }()

  @Test(arguments: TypedPlace.allCases, dateStrategies.indices)
  func dates(place: TypedPlace, index: Int) throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = Self.dateStrategies[index]
    let event = sample()
    let document = try encoder.encode(event)
    let (date, other) = (try plain(Self.date, encoder), try plain(Self.other, encoder))
    let written = try members(document)
    #expect(written["startDate"] as? NSObject == date && written["endDate"] as? NSObject == other)
    #expect(
      written["otherDates"] as? [NSObject] == [date, other] && written["daySet"] as? [NSObject] == [date]
    )
    #expect(written["namedDates"] as? [String: NSObject] == ["firstDay": date])
    #expect(written["noDates"] as? [String: NSObject] == ["lastDay": NSNull(), "nextDay": other])
    #expect(written["anyValue"] as? [String: NSObject] == ["date": date])
    #expect((written["part"] as? [String: Any])?["partDate"] as? NSObject == date)
    #expect((written["parentEvent"] as? [String: Any])?["startDate"] as? NSObject == other)
    #expect(written["children"] == nil)
    check(try decoder.decode(StrategyEvent.self, from: document), like: event)

    // The same of an object that was read and whose properties were not.
    let store = try TypedStore(place, [StrategyEvent.self], embedded: [StrategyPart.self])
    try store.put(try decoder.decode(StrategyEvent.self, from: document))
    store.reopen()
    let read = try members(try encoder.encode(try store.get(StrategyEvent.self, 1)))
    #expect(read as NSDictionary == written as NSDictionary)
  }

  @Test func data() throws {
    let strategies: [(JSONEncoder.DataEncodingStrategy, JSONDecoder.DataDecodingStrategy)] = [
      (.base64, .base64), (.deferredToData, .deferredToData),
      (
        .custom { data, encoder in try data.map { String($0) }.joined(separator: "-").encode(to: encoder) },
        .custom { decoder in Data(try String(from: decoder).split(separator: "-").compactMap { UInt8($0) }) }
      ),
    ]
    for (encoding, decoding) in strategies {
      let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
      encoder.dataEncodingStrategy = encoding
      decoder.dataDecodingStrategy = decoding
      let event = sample()
      let document = try encoder.encode(event)
      let written = try members(document)
      #expect(written["content"] as? NSObject == (try plain(event.content, encoder)))
      #expect(written["otherContent"] as? NSObject == (try plain(Data([4]), encoder)))
      #expect(written["contents"] as? [NSObject] == [try plain(Data([5]), encoder)])
      let any = try #require(written["anyList"] as? [NSObject])
      #expect(any.first as? [String: NSObject] == ["data": try plain(Data([1, 2]), encoder)])
      check(try decoder.decode(StrategyEvent.self, from: document), like: event)
    }
  }

  @Test func decimalsAreNumbers() throws {
    let text = String(decoding: try JSONEncoder().encode(sample()), as: UTF8.self)
    #expect(text.contains(#""price":12345678901234567890.25"#) && text.contains(#""otherPrice":2.5"#))
    #expect(text.contains(#""prices":[1,0.1]"#) && text.contains(#"{"decimal128":1.5}"#))
  }

  @Test func numbersThatJSONDoesNotHave() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    let event = sample()
    event.ratio = .infinity
    event.single = -.infinity
    event.ratios.append(.nan)
    event.anyValue = .double(.infinity)
    #expect(throws: EncodingError.self) { try encoder.encode(event) }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    let document = try encoder.encode(event)
    let written = try members(document)
    #expect(written["ratio"] as? String == "+inf" && written["single"] as? String == "-inf")
    #expect(written["ratios"] as? [NSObject] == [0.25 as NSNumber, "nan" as NSString])
    let decoded = try decoder.decode(StrategyEvent.self, from: document)
    #expect(decoded.ratio == .infinity && decoded.single == -.infinity && decoded.ratios[1].isNaN)
    #expect(decoded.anyValue == .double(.infinity))
  }

  /// Names of properties follow the strategy, those of a map's entries are data.
  @Test func keys() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let event = sample()
    event.anyList.append(.objectId(event.documentId))
    let document = try encoder.encode(event)
    let written = try members(document)
    #expect(written["start_date"] != nil && written["startDate"] == nil)
    #expect((written["named_dates"] as? [String: Any])?.keys.map { $0 } == ["firstDay"])
    check(try decoder.decode(StrategyEvent.self, from: document), like: event)
    encoder.keyEncodingStrategy = .custom { path in StrategyKey("x" + (path.last?.stringValue ?? "")) }
    decoder.keyDecodingStrategy = .custom { path in
      StrategyKey(String(path.last?.stringValue.dropFirst() ?? ""))
    }
    let custom = try encoder.encode(event)
    #expect(try members(custom)["xstartDate"] != nil)
    check(try decoder.decode(StrategyEvent.self, from: custom), like: event)
  }

  @Test("what is encoded can be imported", arguments: TypedPlace.allCases, [true, false])
  func importing(place: TypedPlace, asText: Bool) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = asText ? .iso8601 : .secondsSince1970
    let event = sample()
    event.identifier = UUID()
    let document = String(decoding: try encoder.encode(event), as: UTF8.self)
    let store = try TypedStore(place, [StrategyEvent.self], embedded: [StrategyPart.self])
    try store.putJSON(StrategyEvent.self, document, options: JSONOptions(unknownKeys: .refuse))
    store.reopen()
    let found = try store.get(StrategyEvent.self, 1)
    check(found, like: event)
    #expect(try encoder.encode(found).count == document.utf8.count)
  }

  @Test("inverses are left out, and are there in what was decoded", arguments: TypedPlace.allCases)
  func inverses(place: TypedPlace) throws {
    let document = try JSONEncoder().encode(sample())
    let decoded = try JSONDecoder().decode(StrategyEvent.self, from: document)
    #expect(decoded.children.map(\.id) == [])
    let store = try TypedStore(place, [StrategyEvent.self], embedded: [StrategyPart.self])
    try store.put(decoded)
    #expect(decoded.parentEvent?.children.map(\.id) == [1])
    store.reopen()
    #expect(try store.get(StrategyEvent.self, 2).children.map(\.id) == [1])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(decoded.children) }
  }

  @Test("null is a value, and is saved", arguments: TypedPlace.allCases)
  func null(place: TypedPlace) throws {
    let store = try TypedStore(place, [StrategyEvent.self], embedded: [StrategyPart.self])
    let event = sample()
    try store.put(event)
    event.endDate = nil
    event.part = nil
    try store.put(
      try JSONDecoder().decode(StrategyEvent.self, from: JSONEncoder().encode(event)),
      update: .modified
    )
    store.reopen()
    let found = try store.get(StrategyEvent.self, 1)
    #expect(found.endDate == nil && found.part == nil && found.otherPrice == 2.5)
  }
}

private struct StrategyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
