import Fief
import Foundation
import Testing

final class DatedVisit: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var start = Date(timeIntervalSince1970: 0)
  @Persisted(indexed: true) var end: Date?
  @Persisted var place = ""
  @Persisted var later: List<DatedVisit>
}

@Suite("The mean of dates")
struct DateAverageTests {
  private static let day = 86_400.0

  private func date(_ days: Double) -> Date { Date(timeIntervalSince1970: days * Self.day) }

  private func store(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [DatedVisit.self])
    let visits = (1...4).map { id in
      let visit = DatedVisit(value: ["id": id, "start": date(Double(id)), "place": id < 3 ? "a" : "b"])
      if id > 2 { visit.end = date(Double(10 * id)) }
      return visit
    }
    visits[0].later.append(objectsIn: visits[1...])
    try store.put(visits)
    store.reopen()
    return store
  }

  @Test("of results, with an index and without, of lists and of groups", arguments: TypedPlace.inClear)
  func means(place: TypedPlace) throws {
    let store = try store(place)
    try store.read { scope in
      let visits = scope.objects(DatedVisit.self)
      #expect(try visits.fetchAverage(of: \.start) == date(2.5))
      #expect(try visits.fetchAverage(of: \.end) == date(35))
      #expect(visits.average(of: \.start) == date(2.5) && visits.average(of: \.end) == date(35))
      #expect(visits.where { $0.id > 3 }.average(of: \.end) == date(40))
      #expect(visits.where { $0.id > 9 }.average(of: \.start) == nil)
      #expect(visits.where { $0.id < 3 }.average(of: \.end) == nil)
      #expect(visits.average(of: { $0.later.start }) == date(3))
      let first = try #require(try scope.object(ofType: DatedVisit.self, forPrimaryKey: 1))
      #expect(first.later.average(of: \.start) == date(3) && first.later.average(of: \.end) == date(35))
      let groups = try visits.grouped(by: \.place).aggregate(.count, .average(\.start), .average(\.end))
      #expect(groups.map(\.key) == ["a", "b"] && groups.map(\.values.1) == [date(1.5), date(3.5)])
      #expect(groups.map(\.values.2) == [nil, date(35)])
    }
  }

  @Test("is no number")
  func names() throws {
    let store = try store(.memory)
    try store.read { scope in
      let error = #expect(throws: FiefError.self) {
        try scope.objects(DatedVisit.self).fetchAverage(ofProperty: "start")
      }
      #expect(error?.code == .invalidQuery && error?.property == "start")
      #expect(throws: FiefError.self) {
        let _: Int = try scope.objects(DatedVisit.self).fetchSum(ofProperty: "start")
      }
    }
  }
}
