import Fief
import Foundation
import LMDB

@testable import FiefCore

/// A value as the tests' own evaluation has it.
indirect enum PlainValue {
  case scalar(QueryValue)
  case object(PlainObject)
  case list([PlainValue])
  case map([(String, PlainValue)])

  static var null: PlainValue { .scalar(.null) }

  init(_ object: PlainObject?) { self = object.map { .object($0) } ?? .null }

  init(_ value: Int?) { self = .scalar(value.map { .integer(Int64($0)) } ?? .null) }
  init(_ value: Double?) { self = .scalar(value.map { .double($0) } ?? .null) }
  init(_ value: String?) { self = .scalar(value.map { .string($0) } ?? .null) }
}

/// An object as a dictionary.
final class PlainObject {
  let type: String
  let key: ObjectKey?
  var values: [String: PlainValue]

  init(type: String, key: ObjectKey?, _ values: [String: PlainValue]) {
    self.type = type
    self.key = key
    self.values = values
  }

  convenience init(_ owner: EvaluationAfter.Owner) {
    var encoder = KeyEncoder()
    encoder.append(string: owner.code)
    self.init(
      type: "Owner",
      key: ObjectKey(bytes: encoder.bytes),
      ["code": PlainValue(owner.code), "age": PlainValue(owner.age)]
    )
  }

  convenience init(_ part: EvaluationAfter.Part) {
    self.init(
      type: "Part",
      key: nil,
      ["size": PlainValue(part.size), "label": PlainValue(part.label), "extra": PlainValue(part.extra)]
    )
  }

  convenience init(_ item: EvaluationAfter.Item, _ owners: [String: PlainObject]) {
    var values: [String: PlainValue] = [:]
    values["id"] = PlainValue(item.id)
    values["small"] = PlainValue(item.small)
    values["maybe"] = PlainValue(item.maybe)
    values["whole"] = PlainValue(item.whole)
    values["ratio"] = PlainValue(item.ratio)
    values["weight"] = PlainValue(item.weight)
    values["isOn"] = .scalar(item.isOn.map { .bool($0) } ?? .null)
    values["name"] = PlainValue(item.name)
    values["nick"] = PlainValue(item.nick)
    values["when"] = .scalar(item.when.map { .date($0.timeIntervalSinceReferenceDate) } ?? .null)
    values["owner"] = PlainValue(item.owner.flatMap { owners[$0.code] })
    values["part"] = PlainValue(item.part.map { PlainObject($0) })
    values["numbers"] = .list(item.numbers.map { PlainValue($0) })
    values["owners"] = .list(item.owners.map { PlainValue(owners[$0.code]) })
    values["added"] = PlainValue(item.added)
    values["tag"] = PlainValue(item.tag)
    values["bytes"] = .scalar(item.bytes.map { .data([UInt8]($0)) } ?? .null)
    values["uuid"] = .scalar(item.uuid.map { .uuid($0) } ?? .null)
    values["objectId"] = .scalar(item.objectId.map { .objectId($0) } ?? .null)
    values["price"] = .scalar(item.price.map { .decimal($0) } ?? .null)
    values["any"] = .scalar(Self.plain(item.any))
    values["words"] = .list(item.words.map { PlainValue($0) })
    values["counts"] = .map(item.counts.map { ($0.key, PlainValue($0.value)) })
    values["parts"] = .list(item.parts.map { PlainValue(PlainObject($0)) })
    values["optionals"] = .list(item.optionals.map { PlainValue($0) })
    self.init(type: "Item", key: ObjectKey(rowID: Int64(item.id)), values)
  }

  private static func plain(_ value: AnyRealmValue) -> QueryValue {
    switch value {
    case .none: .null
    case .int(let value): .integer(Int64(value))
    case .bool(let value): .bool(value)
    case .float(let value): .double(Double(value))
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data([UInt8](value))
    case .date(let value): .date(value.timeIntervalSinceReferenceDate)
    case .objectId(let value): .objectId(value)
    case .decimal128(let value): .decimal(value)
    case .uuid(let value): .uuid(value)
    case .list, .dictionary, .object: (try? QueryValue(value)) ?? .null
    }
  }
}
