import Fief
import Foundation

@testable import FiefCore
@testable import FiefInspection

/// What has to hold of a payload of a column, whatever its bytes are.
enum PayloadChecks {
  static func check(_ payload: [UInt8], _ type: ColumnType, _ defect: PlantedDefect) throws {
    try checkMarker(payload)
    if type.container != .none { try checkOrder(payload, type, defect) }
    if type.kind == .any, type.container == .none { try checkAny(payload) }
    try checkDocument(payload, type)
  }

  private static func checkMarker(_ payload: [UInt8]) throws {
    let marker = try FuzzSchema.unlessDamaged { try payload.withUnsafeBytes { try CollectionMarker($0) } }
    guard let marker, let marker else { return }
    let again = try marker.payload.withUnsafeBytes { try CollectionMarker($0) }
    try require(again == marker, "another marker: \(payload.hex)")
  }

  /// The elements in the order in which they are stored are in that order, as often as they are asked for.
  private static func checkOrder(_ payload: [UInt8], _ type: ColumnType, _ defect: PlantedDefect) throws {
    _ = try FuzzSchema.unlessDamaged { try payload.withUnsafeBytes { try CollectionPayload.count($0) } }
    let elements = try FuzzSchema.unlessDamaged { try Self.elements(payload, type) }
    guard let elements, !payload.isEmpty, !payload.withUnsafeBytes({ CollectionMarker.isMarker($0) }) else {
      return
    }
    guard var ordered = try FuzzSchema.unlessDamaged({ try CollectionPayload.inOrder(payload, type: type) })
    else {
      throw FuzzFinding("elements that cannot be put in order: \(type) \(payload.hex)")
    }
    // The third element of a set is forgotten.
    if defect.isPlanted, type.container == .set, ordered.first ?? 0 > 2 { ordered[0] = 2 }
    let isInOrder = try ordered.withUnsafeBytes { try CollectionPayload.isInOrder($0, type: type) }
    let hasRepeatedKeys =
      Set(elements.compactMap { $0.key.map { String(decoding: $0, as: UTF8.self) } }).count
      < elements.count
    if type.container != .map || !hasRepeatedKeys {
      try require(isInOrder, "not in order: \(type) \(payload.hex)")
      let again = try CollectionPayload.inOrder(ordered, type: type)
      try require(again == ordered, "another order: \(type) \(payload.hex)")
    }
    let kept = try Self.elements(ordered, type)
    // A set has one form of each zero and of each NaN.
    func form(_ element: [UInt8]?) -> [UInt8]? {
      type.container == .set ? element.map { CollectionPayload.identity(of: $0, type: type) } : element
    }
    let values = Set(elements.map { form($0.element) }), found = Set(kept.map { form($0.element) })
    try require(values == found, "other elements: \(type) \(payload.hex)")
    let rest = try payload.withUnsafeBytes { payload in
      try CollectionPayload.removing({ $0.first == 1 }, from: payload, type: type)
    }
    let gone = elements.count { $0.element?.first == 1 }
    try require((rest == nil) == (gone == 0), "removed \(gone) elements: \(type) \(payload.hex)")
    guard let rest else { return }
    let left = try Self.elements(rest, type)
    try require(!left.contains { $0.element?.first == 1 }, "not removed: \(type) \(payload.hex)")
  }

  private static func elements(_ payload: [UInt8], _ type: ColumnType) throws -> [(
    key: [UInt8]?, element: [UInt8]?
  )] {
    var elements: [(key: [UInt8]?, element: [UInt8]?)] = []
    try payload.withUnsafeBytes { buffer in
      try CollectionPayload.forEach(buffer, type: type) { key, element in
        elements.append((key.map { [UInt8]($0) }, element.map { [UInt8]($0) }))
      }
    }
    return elements
  }

  /// A value of any type is read, and what is written of it is read as the same.
  private static func checkAny(_ payload: [UInt8]) throws {
    guard let value = try FuzzSchema.unlessDamaged({ try read(payload) }), let value, !value._hasObjects
    else { return }
    let written = try bytes(value)
    guard let again = try read(written) else { throw FuzzFinding("nothing is read of \(payload.hex)") }
    try require(try bytes(again) == written, "another value: \(payload.hex)")
  }

  private static func read(_ payload: [UInt8]) throws -> AnyRealmValue? {
    try payload.withUnsafeBytes { buffer in
      var reader = ValueReader(buffer, context: nil)
      return try AnyRealmValue._readElement(from: &reader)
    }
  }

  private static func bytes(_ value: AnyRealmValue) throws -> [UInt8] {
    var writer = ValueWriter()
    try value._append(to: &writer)
    return writer.bytes
  }

  /// The JSON of a payload is read by strict parsers, and as a payload that has the same JSON.
  private static func checkDocument(_ payload: [UInt8], _ type: ColumnType) throws {
    guard let text = try FuzzSchema.unlessDamaged({ try Self.text(payload, type) }) else { return }
    try JSONChecks.checkStrict(text)
    var conversion = ValueConversion()
    conversion.source = .json(.default)
    let encoder = DynamicEncoder(tables: FuzzSchema.tables, declared: nil) { _, _, _, _ in true }
    let again: [UInt8]?
    do { again = try encoder.payload(try JSONParser.parse(text), type, conversion) } catch {
      return try checkRefusal(error, text, type)
    }
    // A set and a map that were not in their order are put into it.
    let isInOrder = try payload.withUnsafeBytes { payload in
      try type.container == .none || CollectionPayload.isInOrder(payload, type: type)
    }
    // A set gets one form of each zero and of each NaN.
    guard
      try isInOrder && (type.container != .set || CollectionPayload.inOrder(payload, type: type) == payload)
    else { return }
    let written = try again.map { try Self.text($0, type) } ?? "null"
    // Of elements of a set that stand for one value in different bytes, which only damage leaves, one is kept.
    let isSame = written == text || (type.container == .set && haveSameMembers(written, text))
    try require(isSame, "\(type): \(text), then \(written): \(payload.hex)")
  }

  /// Whether two arrays have the same elements, however often each is there.
  private static func haveSameMembers(_ first: String, _ second: String) -> Bool {
    let (one, two) = (members(first), members(second))
    return one != nil && one == two
  }

  private static func members(_ text: String) -> Set<Data>? {
    let document = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    guard let document else { return nil }
    let elements = try? (document as? [Any] ?? [document]).map {
      try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys, .fragmentsAllowed])
    }
    return elements.map { Set($0) }
  }

  /// What no value can be, a damaged payload can be: a link or a key that is none, a null in a column that has none, a key twice.
  private static func checkRefusal(_ error: any Error, _ text: String, _ type: ColumnType) throws {
    let codes: [FiefError.Code] = [
      .invalidValue, .missingValue, .malformedJSON, .primaryKeyTooLong, .unknownType,
    ]
    guard let known = error as? FiefError, codes.contains(known.code) else { throw error }
    let isDoubtful = [.link, .embedded, .any, .objectId].contains(type.kind) || type.container != .none
    try require(isDoubtful || text == "null", "\(type): \(text) is refused: \(error)")
  }

  private static func text(_ payload: [UInt8], _ type: ColumnType) throws -> String {
    var json = JSONText()
    try payload.withUnsafeBytes { try json.append($0, type, FuzzSchema.tables) }
    return json.text
  }
}
