import Fief
import Foundation
import Testing

/// The objects of a section are results: they can be ordered, asked for more, paged and added up.
@Suite(.timeLimit(.minutes(20))) struct SectionResultsTests {
  private static func fill(_ item: CornerItem) {
    item.number = item.id % 3
    item.numberIndexed = 60 - item.id
    item.name = "n\(item.id % 5)"
    item.rating = item.id % 4 == 0 ? .nan : 1
  }

  @Test func aSectionIsOrderedOtherwise() throws {
    try CornerRepository.forAll(60, Self.fill) { repository in
      let sections = repository.items.sectioned(by: \.number)
      #expect(sections.count == 3)
      for section in sections {
        let expected = (0..<60).filter { $0 % 3 == section.key }
        let objects = section.objects
        #expect(objects.map(\.id) == expected)
        #expect(objects.sorted(byKeyPath: "id", ascending: false).map(\.id) == expected.reversed())
        #expect(objects.sorted(byKeyPath: "numberIndexed").map(\.id) == expected.reversed())
        #expect(objects.where { $0.id > 30 }.map(\.id) == expected.filter { $0 > 30 })
        let pages = try objects.inPages(of: 3)
        #expect(pages.map(\.id) == expected)
        #expect(objects.sum(of: \.id) == expected.reduce(0, +))
        #expect(objects.distinct(by: \.name).count == 5)
        #expect(objects.sectioned(by: \.name).map(\.count) == [4, 4, 4, 4, 4])
      }
    }
  }

  /// Another order would make other objects of the same places.
  @Test func aSectionOfAPartHasNoOtherOrder() throws {
    try CornerRepository.forAll(60, Self.fill) { repository in
      let parts = [
        repository.items.limit(50), repository.items.offset(2), repository.items.distinct(by: \.name),
        repository.items.sorted(byKeyPath: "number").start(at: [1]),
      ]
      for part in parts {
        for section in part.sectioned(by: \.number) {
          #expect(section.objects.count == section.count)
          let ids = section.objects.map(\.id)
          #expect(section.objects.where { $0.id > 20 }.count <= section.count)
          let pages = try section.objects.inPages(of: 2)
          #expect(pages.map(\.id) == ids)
          for other in [
            section.objects.sorted(byKeyPath: "numberIndexed"), section.objects.distinct(by: \.tiny),
          ] {
            #expect((failure { try other.all() } as? FiefError)?.code == .invalidCursor)
            #expect(other.map(\.id) == [] && other.count == 0)
          }
        }
      }
      let none = try #require(repository.items.sectioned(by: \.rating, ascending: false)[0])
      #expect(none.key?.isNaN == true && none.objects.count == 15)
      let other = none.objects.sorted(byKeyPath: "id", ascending: false)
      #expect((failure { try other.all() } as? FiefError)?.code == .invalidCursor)
    }
  }
}
