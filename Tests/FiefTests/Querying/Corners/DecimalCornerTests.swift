import Fief
import Foundation
import Testing

/// Decimals in conditions and aggregates: no digit is lost, and nothing ends the process.
@Suite(.timeLimit(.minutes(20))) struct DecimalCornerTests {
  @Test func sumsOfDecimalsAreExact() throws {
    let cent = Decimal(string: "0.01")
    try CornerRepository.forAll(1000) {
      $0.price = cent
      $0.priceIndexed = cent
    } _: { repository in
      let items = repository.items
      #expect(items.sum(of: \.price) == 10 && items.sum(of: \.priceIndexed) == 10)
      #expect(items.average(of: \.price) == 0.01 && items.average(of: \.priceIndexed) == 0.01)
      #expect(items.filter("price == 0.01m").count == 1000)
      #expect(items.filter("price * 2 == 0.02m").count == 1000)
      #expect(items.filter("price % 0.003m == 0.001m").count == 1000)
      #expect(items.filter("-(price) < 0").count == 1000)
      #expect(items.where { $0.id > 5000 }.sum(of: \.price) == 0)
      #expect(items.where { $0.id > 5000 }.average(of: \.price) == nil)
    }
  }

  /// Foundation ends the process where the exponent of a product falls below the least.
  @Test func productsThatAreTooSmallOrTooLarge() throws {
    let digits = try #require(Decimal(string: "0.000000000000000000000000000000123456789"))
    try CornerRepository.forAll(10) {
      $0.price = digits
    } _: { repository in
      let items = repository.items
      let least = Decimal.leastNonzeroMagnitude
      #expect(items.filter("price * %@ == 0", least).count == 10)
      #expect(items.filter("(price * %@) * %@ > 1", least, least).isEmpty)
      #expect(items.filter("price * price * price * price == 0").isEmpty)
      #expect(items.filter("price * price * price * price * price * price == 0").count == 10)
      #expect(items.filter("price * 1e-200 == 0").count == 10)
      #expect(items.filter("price * 1e300 == nil").count == 10)
      #expect(items.filter("price * double('NaN') == 0").isEmpty)
      let greatest = Decimal.greatestFiniteMagnitude
      #expect(items.filter("%@ * %@ == nil AND price > 0", greatest, greatest).count == 10)
      #expect(items.filter("price - %@ < 0", greatest).count == 10)
      #expect(items.filter("price / 0 == nil AND price % 0 == nil").count == 10)
    }
  }

  /// Powers of one half have as many decimal places as their exponent.
  @Test func decimalsEqualDoublesExactly() throws {
    let halves = (0..<60).map { pow(0.5, Double($0)) }
    try CornerRepository.forAll(halves.count) {
      $0.rating = halves[$0.id]
      $0.ratingIndexed = halves[$0.id]
    } _: { repository in
      var exact = Decimal(1)
      for id in halves.indices where exact.significand < Decimal(string: "1e36") ?? 0 {
        defer { exact /= 2 }
        for name in ["rating", "ratingIndexed"] {
          #expect(repository.items.filter("%K == %@", name, exact).map(\.id) == [id])
          #expect(repository.items.filter("%K IN %@", name, [exact, exact + 2]).map(\.id) == [id])
          #expect(repository.items.sorted(byKeyPath: name).start(at: [exact]).count == id + 1)
        }
        if id > 40 { break }
      }
    }
  }
}
