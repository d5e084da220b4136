import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Decimals by Realm's name", .freshStores)
struct DecimalBehaviourTests {
  @Test("are made of literals, numbers and texts")
  func making() throws {
    let first: Decimal128 = 3.14159
    let second: Decimal128 = .init(number: 3.14159)
    let third: Decimal128 = "9.876543"
    let whole: Decimal128 = 123
    #expect(first == second && third.description == "9.876543" && whole == "123")
    #expect(Decimal128(exactly: 5) == 5 && Decimal128() == 0)
    let texts = ["1.5E2", "-0.001", "nan"]
    let read: [Decimal128] = try texts.map { try Decimal128(text: $0) }
    #expect(read[0] == 150 && read[1] == -0.001 && read[2].isNaN)
    let values: [Any] = [7, Int8(7), UInt64(7), 7.0, Float(7), "7", Decimal(7), NSNumber(value: 7)]
    #expect(values.map { Decimal128(value: $0) } == Array(repeating: 7, count: values.count))
    #expect(Decimal128(value: UInt64.max).description == "18446744073709551615")
    #expect(Decimal128(value: NSNull()).isNaN)
    // Foundation's own initializer is there as before.
    #expect(Decimal(string: "2.5") == 2.5 && Decimal(string: "x") == nil)
  }

  @Test("are no other number where there is no room for it")
  func outOfRange() throws {
    for text in ["1e500", "1.5abc", "", "inf", "1234567890123456789012345678901234567890.5"] {
      #expect(throws: FiefError.self, "\(text)") {
        _ = try Decimal128(text: text)
      }
    }
    var made: [Decimal128] = []
    let events = withExpectedEvents {
      made.append("1e500")
      made.append("none")
      made.append(Decimal128(number: NSNumber(value: Double.greatestFiniteMagnitude)))
      made.append(Decimal128(value: [1]))
    }
    #expect(made.count == 4 && made.allSatisfy { $0.isNaN })
    #expect(events.count == 4 && events.allSatisfy { $0.failure?.code == .invalidValue })
  }

  @Test("are calculated with")
  func arithmetic() throws {
    let (first, second): (Decimal128, Decimal128) = ("1.234567", "9.876543")
    #expect((first + second).description == "11.11111")
    #expect(("2.5" as Decimal128) - "3.5" == -1)
    #expect((7 as Decimal128) / 3.5 == 2 && ("0.21" as Decimal128) / "0.7" == "0.3")
    #expect((7 as Decimal128) * 3.5 == 24.5 && ("0.21" as Decimal128) * "0.7" == "0.147")
    var sum: Decimal128 = 2
    sum *= 3
    sum += 1
    sum -= 2
    #expect(sum == 5)
  }

  @Test("are compared, and have ends")
  func comparing() throws {
    let (first, second): (Decimal128, Decimal128) = (3.14160, "3.14159")
    #expect(first > second && first >= second && second < first && second <= first && first != second)
    #expect(Decimal128.max > .min && Decimal128.min < .max && -Decimal128.max == .min)
    var number: Decimal128 = -123.321
    #expect(number.magnitude == "123.321")
    number.negate()
    #expect(number == "123.321")
    #expect(("-123.321" as Decimal128).advanced(by: "-123.321") == "-246.642")
    #expect((10 as Decimal128).distance(to: 5) == -5 && (10 as Decimal128).distance(to: 15) == 5)
    #expect(number.doubleValue == 123.321 && number.stringValue == "123.321" && number.decimalValue == number)
  }

  @Test("are stored and asked for", arguments: StoreKind.allCases)
  func storing(_ kind: StoreKind) throws {
    try withValueStore(kind, [IdHolder.self]) { store in
      let large: Decimal128 = "1234567890e117"
      try store.write {
        store.create(IdHolder.self, value: ["price": large])
        store.create(IdHolder.self, value: ["price": "0.1"])
        store.create(IdHolder.self)
      }
      #expect(store.objects(IdHolder.self).where { $0.price == "1.5" }.count == 1)
      #expect(store.objects(IdHolder.self).where { $0.price < "1.5" }.first?.price == "0.1")
      #expect(store.objects(IdHolder.self).filter("price > %@", Decimal128(2)).first?.price == large)
    }
  }
}
