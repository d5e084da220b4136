import Fief
import FiefTesting
import Foundation
import Testing

final class SearchedNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .fullText) var text: String?
}

/// Searches that only exclude words, in the order of relevance.
@Suite(.timeLimit(.minutes(20))) struct ExcludingSearchTests {
  private static let texts: [String?] = [
    "the quick fox", "a dog", "a fox and a dog", nil, "", "a bird and a dog", "a red fox",
  ]

  private func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(TestRepository(objectTypes: [SearchedNote.self]), kind)
    let notes = Self.texts.enumerated().map { SearchedNote(value: ["id": $0, "text": $1 as Any]) }
    try store.saveAndWait(entities: notes)
    return store
  }

  @Test(arguments: StoreKind.allCases) func findWhatIsLeft(_ kind: StoreKind) throws {
    let store = try store(kind)
    let notes = store.store().objects(SearchedNote.self)
    for (words, ids) in [
      ("-fox", [1, 4, 5]), ("-fox -bird", [1, 4]), ("-\"red fox\"", [0, 1, 2, 4, 5]),
      ("-cat", [0, 1, 2, 4, 5, 6]),
      ("-fox -dog", [4]), ("", []), ("- ", []),
    ] {
      let found = notes.where { $0.text.matches(words) }
      for ranked in [
        found.sortedByRelevance(), notes.filter("text MATCHES %@ SORT(@relevance)", words),
        notes.filter("text MATCHES %@ SORT(@relevance DESC)", words),
      ] {
        #expect(try ranked.all().map(\.id) == ids, "\(words)")
        #expect(ranked.first?.id == ids.first && ranked.count == ids.count, "\(words)")
        #expect(ranked.limit(2).map(\.id) == Array(ids.prefix(2)), "\(words)")
        #expect(ranked.offset(1).limit(1).map(\.id) == Array(ids.dropFirst().prefix(1)), "\(words)")
      }
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func otherWordsDecideTheOrder(_ kind: StoreKind) throws {
    let store = try store(kind)
    let notes = store.store().objects(SearchedNote.self)
    for found in [
      notes.where { $0.text.matches("-fox") && $0.text.matches("dog") },
      notes.where { $0.text.matches("dog -fox") },
    ] {
      #expect(found.sortedByRelevance().map(\.id) == [1, 5])
    }
    #expect(notes.where { $0.text.matches("-fox") && $0.id > 1 }.sortedByRelevance().map(\.id) == [4, 5])
    store.closeChecked()
  }
}
