import Fief
import Foundation
import Testing

@Suite("Values of any type")
struct AnyRealmValueTests {
  static let date = Date(timeIntervalSince1970: 1)
  static let id = ObjectId("507f1f77bcf86cd799439011") ?? ObjectId()
  static let uuid = UUID()
  static var all: [AnyRealmValue] {
    [
      .none, .int(1), .bool(true), .float(1), .double(1), .string("1"), .data(Data([1])), .date(date),
      .objectId(id), .decimal128(1), .uuid(uuid),
    ]
  }

  @Test("are equal within one type only")
  func equality() {
    #expect(Set(Self.all).count == Self.all.count)
    for (i, a) in Self.all.enumerated() {
      for (j, b) in Self.all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
    }
    #expect(AnyRealmValue.int(1) != .double(1.0))
    #expect(AnyRealmValue.decimal128(Decimal(string: "1.50") ?? 0) == .decimal128(1.5))
    #expect(AnyRealmValue() == .none)
  }

  @Test("give their payload as their own type and as no other")
  func accessors() {
    let payloads: [AnyHashable?] = [
      nil, 1 as Int, true, 1 as Float, 1 as Double, "1", Data([1]), Self.date, Self.id, 1 as Decimal,
      Self.uuid,
    ]
    for (index, value) in Self.all.enumerated() {
      let read: [AnyHashable?] = [
        nil, value.intValue, value.boolValue, value.floatValue, value.doubleValue, value.stringValue,
        value.dataValue, value.dateValue, value.objectIdValue, value.decimal128Value, value.uuidValue,
      ]
      for (other, payload) in read.enumerated() {
        #expect(payload == (other == index ? payloads[index] : nil), "\(value)")
      }
    }
  }

  @Test("can be written as literals")
  func literals() {
    let name = "Lulu"
    let values: [AnyRealmValue] = [nil, 3, true, 2.5, "a", "\(name)!"]
    #expect(values == [.none, .int(3), .bool(true), .double(2.5), .string("a"), .string("Lulu!")])
  }
}
