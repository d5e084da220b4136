import Fief
import FiefStress
import Foundation

/// A value of a property whose type changes, as the model has it.
enum EvolvedValue: Equatable, Comparable {
  case null
  case bool(Bool)
  case integer(Int64)
  case float(Float)
  case double(Double)
  case text(String)
  case data([UInt8])
  case date(Double)

  static func < (first: EvolvedValue, second: EvolvedValue) -> Bool {
    switch (first, second) {
    case (_, .null): false
    case (.null, _): true
    case (.bool(let first), .bool(let second)): !first && second
    case (.integer(let first), .integer(let second)): first < second
    case (.float(let first), .float(let second)): first < second
    case (.double(let first), .double(let second)): first < second
    case (.text(let first), .text(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
    case (.data(let first), .data(let second)): first.lexicographicallyPrecedes(second)
    case (.date(let first), .date(let second)): first < second
    default: false
    }
  }
}

/// A type that a property has at one of the versions.
protocol EvolvingValue: Persistable {
  /// The name without `?`.
  static var kind: String { get }
  static var canBeNil: Bool { get }
  static func random(_ random: inout StressRandom) -> Self
  /// The value; nil where it is of another type.
  static func made(_ value: EvolvedValue) -> Self?
  var evolved: EvolvedValue { get }
}

extension EvolvingValue {
  static var canBeNil: Bool { false }

  /// The default that a class has at a version; another one at each.
  static func standard(_ slot: Int) -> Self {
    var random = StressRandom(seed: UInt64(Evolution.version * 16 + slot))
    return Self.random(&random)
  }
}

enum Evolution {
  /// The version whose classes are being used.
  @TaskLocal static var version = 0

  /// The converted value of another type without the block; nil where it is lost.
  static func converted(
    _ value: EvolvedValue,
    to new: any EvolvingValue.Type,
    from old: any EvolvingValue.Type
  ) -> EvolvedValue? {
    guard isConverted(old, new) else { return nil }
    if value == .null { return new.canBeNil ? .null : nil }
    if old.kind == new.kind { return value }
    switch value {
    case .integer(let number):
      if new.kind == "String" { return .text("\(number)") }
      return new.kind == "Double" ? .double(Double(number)) : value
    case .float(let number): return new.kind == "String" ? .text("\(number)") : .double(Double(number))
    case .double(let number): return .text("\(number)")
    default: return nil
    }
  }

  private static let widths = ["Int8", "Int16", "Int32", "Int"]

  /// Whether values are taken over without the block; a change to any other type has to be declared in it.
  static func isConverted(_ old: any EvolvingValue.Type, _ new: any EvolvingValue.Type) -> Bool {
    if old.kind == new.kind { return true }
    if new.kind == "String" { return ["Float", "Double"].contains(old.kind) || widths.contains(old.kind) }
    if new.kind == "Double" { return old.kind == "Float" || widths.contains(old.kind) }
    guard let first = widths.firstIndex(of: old.kind), let second = widths.firstIndex(of: new.kind) else {
      return false
    }
    return first < second
  }

  /// Types that values of a type are converted to, itself and optional ones included.
  static func wider(than type: any EvolvingValue.Type) -> [any EvolvingValue.Type] {
    all.filter { isConverted(type, $0) }
  }

  /// Types that values are lost with; those that only some values fit are left out.
  static func foreign(to type: any EvolvingValue.Type) -> [any EvolvingValue.Type] {
    all.filter { !isConverted(type, $0) && !(widths.contains(type.kind) && widths.contains($0.kind)) }
  }

  static let all: [any EvolvingValue.Type] = [
    Bool.self, Int8.self, Int16.self, Int32.self, Int.self, Float.self, Double.self, String.self, Data.self,
    Date.self, Bool?.self, Int8?.self, Int16?.self, Int32?.self, Int?.self, Float?.self, Double?.self,
    String?.self, Data?.self, Date?.self,
  ]
}

extension EvolvingValue where Self: FixedWidthInteger {
  static var kind: String { "\(Self.self)" }
  static func random(_ random: inout StressRandom) -> Self {
    // Most numbers are small, and doubles have to be able to hold each of them.
    let bits = Swift.min(Self.bitWidth, [4, 8, 16, 32, 50][random.next(5)])
    return Self(truncatingIfNeeded: Int64(bitPattern: random.next()) >> Int64(64 - bits))
  }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .integer(let number) = value else { return nil }
    return Self(exactly: number)
  }
  var evolved: EvolvedValue { .integer(Int64(self)) }
}

extension Int8: EvolvingValue {}
extension Int16: EvolvingValue {}
extension Int32: EvolvingValue {}
extension Int: EvolvingValue {}

extension Bool: EvolvingValue {
  static var kind: String { "Bool" }
  static func random(_ random: inout StressRandom) -> Bool { random.next(2) == 0 }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .bool(let bool) = value else { return nil }
    return bool
  }
  var evolved: EvolvedValue { .bool(self) }
}

extension Float: EvolvingValue {
  static var kind: String { "Float" }
  static func random(_ random: inout StressRandom) -> Float { Float(random.next(4000) - 2000) / 3 }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .float(let number) = value else { return nil }
    return number
  }
  var evolved: EvolvedValue { .float(self) }
}

extension Double: EvolvingValue {
  static var kind: String { "Double" }
  static func random(_ random: inout StressRandom) -> Double { Double(random.next(4000) - 2000) / 7 }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .double(let number) = value else { return nil }
    return number
  }
  var evolved: EvolvedValue { .double(self) }
}

extension String: EvolvingValue {
  static var kind: String { "String" }
  static func random(_ random: inout StressRandom) -> String {
    String(repeating: "é", count: random.next(8) == 0 ? 200 : random.next(4)) + "\(random.next(50))"
  }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .text(let text) = value else { return nil }
    return text
  }
  var evolved: EvolvedValue { .text(self) }
}

extension Data: EvolvingValue {
  static var kind: String { "Data" }
  static func random(_ random: inout StressRandom) -> Data { Data((0..<random.next(5)).map { UInt8($0) }) }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .data(let bytes) = value else { return nil }
    return Data(bytes)
  }
  var evolved: EvolvedValue { .data([UInt8](self)) }
}

extension Date: EvolvingValue {
  static var kind: String { "Date" }
  static func random(_ random: inout StressRandom) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(random.next(100_000)) / 4)
  }
  static func made(_ value: EvolvedValue) -> Self? {
    guard case .date(let seconds) = value else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
  var evolved: EvolvedValue { .date(timeIntervalSinceReferenceDate) }
}

extension Optional: EvolvingValue where Wrapped: EvolvingValue & RealmCollectionValue {
  static var kind: String { Wrapped.kind }
  static var canBeNil: Bool { true }
  static func random(_ random: inout StressRandom) -> Wrapped? {
    random.next(3) == 0 ? nil : Wrapped.random(&random)
  }
  static func made(_ value: EvolvedValue) -> Wrapped?? {
    if value == .null { return .some(.none) }
    return Wrapped.made(value).map { .some($0) }
  }
  var evolved: EvolvedValue { self?.evolved ?? .null }
}
