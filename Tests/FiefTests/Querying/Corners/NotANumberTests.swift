import Fief
import Foundation
import TestEffort
import Testing

/// Values that equal nothing, both zeros and nil: the same with an index and without.
@Suite(.timeLimit(.minutes(20))) struct NotANumberTests {
  private static let values: [Double?] = [
    nil, .nan, -0.0, 0, 1, -1, .infinity, -.infinity, .leastNonzeroMagnitude, nil, .nan, 0, -0.0,
  ]

  private static func fill(_ item: CornerItem) {
    let value = values[item.id % values.count]
    item.rating = value
    item.ratingIndexed = value
    item.day = value.map { Date(timeIntervalSinceReferenceDate: $0) }
    item.dayIndexed = item.day
    item.small = Float(value ?? 7)
    item.smallIndexed = item.small
    item.price = item.id % 7 == 0 ? nil : item.id % 5 == 0 ? .nan : Decimal(item.id % 3) / 8
    item.priceIndexed = item.price
  }

  @Test func ordersAndPagesAreTheSameWithAnIndex() throws {
    try CornerRepository.forAll(130, Self.fill) { repository in
      for name in ["rating", "day", "small", "price"] {
        for ascending in [true, false] {
          // The short form has one direction in memory, and the other one on disk.
          if !TestEffort.isLong, ascending != (repository.directory == nil) { continue }
          for nils in [PropertyOrder.Nils.smallest, .first, .last] {
            func sorted(_ name: String) -> Results<CornerItem> {
              repository.items.sorted(by: [PropertyOrder(keyPath: name, ascending: ascending, nils: nils)])
            }
            let expected = sorted(name).map(\.id)
            #expect(expected.count == 130)
            for results in [sorted(name), sorted(name + "Indexed")] {
              let comment = "\(name) \(ascending) \(nils)"
              #expect(results.map(\.id) == expected, "\(comment)")
              let pages = try (results.inPages(of: 7), results.inPagesFromTheEnd(of: 9))
              #expect(pages.0.map(\.id) == expected && pages.1.map(\.id) == expected, "\(comment)")
              #expect(results.limit(toLast: 5).map(\.id) == Array(expected.suffix(5)), "\(comment)")
            }
          }
        }
        #expect(
          repository.items.distinct(by: [name]).count
            == repository.items.distinct(by: [name + "Indexed"]).count
        )
      }
    }
  }

  /// A date may be not a number too.
  @Test func datesThatAreNoneAreNeitherLeastNorGreatest() throws {
    try CornerRepository.forAll(130, Self.fill) { repository in
      for items in [repository.items, repository.items.limit(100), repository.items.where { $0.id > 20 }] {
        for name in ["day", "dayIndexed"] {
          let least: Date? = items.min(ofProperty: name)
          let greatest: Date? = items.max(ofProperty: name)
          #expect(least?.timeIntervalSinceReferenceDate == -.infinity, "\(name)")
          #expect(greatest?.timeIntervalSinceReferenceDate == .infinity, "\(name)")
        }
      }
      let groups = try repository.items.grouped(by: \.number).aggregate(
        .min(\.day),
        .max(\.dayIndexed)
      )
      #expect(groups.count == 1)
      #expect(groups.first?.values.0?.timeIntervalSinceReferenceDate == -.infinity)
      #expect(groups.first?.values.1?.timeIntervalSinceReferenceDate == .infinity)
      let none = repository.items.where { $0.id == 1 }
      #expect(none.max(of: \.day) == nil && none.min(of: \.dayIndexed) == nil)
    }
  }

  @Test func groupsAndSectionsHaveEachOfThemOnce() throws {
    try CornerRepository.forAll(130, Self.fill) { repository in
      let groups = try repository.items.grouped(by: \.rating).counts()
      // Both zeros are one value, and so are all NaNs.
      #expect(groups.map(\.values) == [20, 10, 10, 40, 10, 10, 10, 20])
      let ratings = repository.items.sectioned(by: \.rating)
      #expect(ratings.map(\.count) == groups.map(\.values))
      for section in ratings { #expect(section.objects.count == section.count) }
      for section in repository.items.sectioned(by: \.day) { #expect(section.objects.count == section.count) }
      for section in repository.items.sectioned(by: \.price) {
        #expect(section.objects.count == section.count)
      }
    }
  }
}
