import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// A cursor can be forged: what it leads to is a part of the query, or an error.
@Suite(.timeLimit(.minutes(20))) struct ForgedCursorTests {
  private static let values: [QueryValue] = [
    .null, .bool(true), .integer(3), .integer(.min), .double(2.5), .double(.nan), .double(-0.0),
    .decimal(.nan),
    .decimal(.greatestFiniteMagnitude), .decimal(2), .string(""), .string(String(repeating: "n", count: 700)),
    .string("\0\u{1}"), .data([]), .data([0, 1, 255]), .date(.nan), .date(.infinity), .date(1),
    .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), .objectId(ObjectId()),
    .object(type: "CornerItem", key: nil), .object(type: "Nobody", key: ObjectKey(bytes: [1])),
  ]
  private static let keys: [[UInt8]] = [
    [0], [1, 0], [0x15, 3], [0xFF], Array(repeating: 0xFF, count: 511), Array(repeating: 7, count: 300),
  ]

  @Test func anyValuesAndAnyKey() throws {
    try CornerRepository.forAll(40) {
      $0.numberIndexed = $0.id % 5
      $0.number = $0.id % 5
      $0.rating = $0.id % 3 == 0 ? nil : Double($0.id % 4)
      $0.ratingIndexed = $0.rating
      $0.priceIndexed = Decimal($0.id % 4)
      $0.name = "n\($0.id % 6)"
      $0.nameIndexed = $0.name
    } _: { repository in
      let core = try repository.store().core()
      let names = [
        "id", "number", "numberIndexed", "rating", "ratingIndexed", "price", "priceIndexed", "name",
        "nameIndexed", "dayIndexed", "smallIndexed",
      ]
      for name in names {
        // The short form has one direction in memory, and the other one on disk.
        for ascending in [true, false] where TestEffort.isLong || ascending == (repository.directory == nil) {
          let results = repository.items.where { $0.id < 30 }.sorted(byKeyPath: name, ascending: ascending)
          let ids = results.map(\.id)
          for value in Self.values {
            for (place, key) in Self.keys.enumerated() {
              let cursor = try QueryCursor(
                text: QueryCursor(
                  fingerprint: results.fingerprint(in: core),
                  values: place == 1 ? [value, value] : place == 2 ? [] : [value],
                  key: ObjectKey(bytes: key)
                ).text
              )
              for page in [
                Result { try results.page(5, after: cursor) }, Result { try results.page(5, before: cursor) },
              ] {
                switch page {
                case .success(let page):
                  // The found objects are in their order, and next to each other.
                  let found = page.objects.map(\.id)
                  let start = found.first.flatMap { ids.firstIndex(of: $0) } ?? 0
                  #expect(Array(ids[start...].prefix(found.count)) == found, "\(name) \(value) \(key)")
                case .failure(let error):
                  let code = (error as? FiefError)?.code
                  #expect(code == .invalidQuery || code == .invalidCursor, "\(name) \(value): \(error)")
                }
              }
            }
          }
        }
      }
    }
  }

  /// The order by relevance has no places.
  @Test func relevanceHasNoPlaces() throws {
    try CornerRepository.forAll(40, { $0.body = "word \($0.id)" }) { repository in
      let results = repository.items.where { $0.body.matches("word") }.sortedByRelevance()
      let page = try results.page(5)
      #expect(page.objects.count == 5 && page.hasMore)
      let end = try #require(page.end)
      for next in [results.start(after: end), results.end(at: end), results.start(at: [1])] {
        #expect((failure { try next.all() } as? FiefError)?.code == .invalidQuery)
        #expect(next.count == 0)
      }
      #expect(results.offset(5).limit(5).map(\.id).count == 5)
      #expect(Set(results.map(\.id)) == Set(0..<40))
    }
  }

  @Test func valuesOfMapsAreAnOrder() throws {
    try CornerRepository.forAll(30) {
      if $0.id % 3 > 0 { $0.map["a"] = 100 - $0.id }
      $0.map["b"] = $0.id % 2
    } _: { repository in
      let items = try repository.items.query("SORT(map['a'] DESC NULLS FIRST, map['b'])")
      let expected = (0..<30).sorted {
        let (first, second) = ($0 % 3 > 0 ? 100 - $0 : .max, $1 % 3 > 0 ? 100 - $1 : .max)
        return (-first, $0 % 2, $0) < (-second, $1 % 2, $1)
      }
      let pages = try (items.inPages(of: 4), items.inPagesFromTheEnd(of: 4))
      #expect(items.map(\.id) == expected)
      #expect(pages.0.map(\.id) == expected && pages.1.map(\.id) == expected)
      #expect(try repository.items.query("DISTINCT(map['b'])").map(\.id) == [0, 1])
      #expect(repository.items.filter("map['a'] + map['b'] > 98").map(\.id) == [1])
      #expect(repository.items.filter("map['c'] == nil").count == 30)
    }
  }
}
