import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Searches with very many words, such as a page that is pasted into a search field.
@Suite(.timeLimit(.minutes(2))) struct LongSearchTests {
  private static let limit = 1_000

  private func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(TestRepository(objectTypes: [SearchedNote.self]), kind)
    let words = Self.words(Self.limit)
    try store.saveAndWait(
      entities: [words, "w1 w2 w3", words + " more", nil].enumerated().map {
        SearchedNote(value: ["id": $0, "text": $1 as Any])
      }
    )
    return store
  }

  private static func words(_ count: Int) -> String {
    (0..<count).map { "w\($0)" }.joined(separator: " ")
  }

  @Test(arguments: StoreKind.allCases) func asManyWordsAsThereMayBe(_ kind: StoreKind) throws {
    let store = try store(kind)
    let notes = store.store().objects(SearchedNote.self)
    let words = Self.words(Self.limit)
    #expect(try notes.where { $0.text.matches(words) }.all().map(\.id) == [0, 2])
    #expect(try notes.where { $0.text.matches(words) }.sortedByRelevance().all().map(\.id) == [0, 2])
    #expect(try notes.filter("text MATCHES %@", "\"\(words)\"").all().map(\.id) == [0, 2])
    let excluding = Self.words(Self.limit - 1) + " -more"
    #expect(try notes.where { $0.text.matches(excluding) }.all().map(\.id) == [0])
    #expect(try notes.where { !$0.text.matches(words) }.all().map(\.id) == [1, 3])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func moreWordsAreAnError(_ kind: StoreKind) throws {
    let store = try store(kind)
    let notes = store.store().objects(SearchedNote.self)
    let many = TestEffort.count(10_000, more: 50_000)
    for words in [
      Self.words(Self.limit + 1), Self.words(many), "\"\(Self.words(Self.limit + 1))\"",
      Self.words(Self.limit) + " -more", String(repeating: "same ", count: Self.limit + 1),
    ] {
      let queries = [
        notes.where { $0.text.matches(words) }, notes.where { !$0.text.matches(words) },
        notes.where { $0.text.matches(words) }.sortedByRelevance(),
        notes.filter("text MATCHES %@", words),
      ]
      for query in queries {
        let error = #expect(throws: FiefError.self) { try query.all() }
        #expect(error?.code == .invalidQuery && error?.property == "text", "\(String(describing: error))")
        #expect(error?.details.contains("the limit: 1000") == true)
      }
    }
    store.closeChecked()
  }

  /// Texts that are in no store have no limit.
  @Test func textsOutsideOfStores() {
    let count = TestEffort.count(8_000, more: 50_000)
    let words = Self.words(count)
    #expect(words.fullText.contains(words) && !words.fullText.contains(words + " more"))
    #expect(words.fullText.contains(words + " -more") && !words.fullText.contains(words + " -w5"))
    #expect(!Self.words(count - 1).fullText.contains(words))
  }

  @Test func wordsAndBeginningsOfManyLengths() {
    let text = "abc abcd b bcd bce cde x"
    for (query, isFound) in [
      ("abc", true), ("ab", false), ("ab*", true), ("a* ab* abc* abcd*", true), ("abcde*", false),
      ("abc abcd", true), ("abc ab", false), ("b* bc* bcd x*", true), ("bcf*", false), ("x -y", true),
      ("x -b", false), ("x -bc", true), ("c* -cd", true), ("cde* -x", false), ("\"abc abcd b\"", true),
      ("\"abc b\"", false), ("abc abc* abc", true), ("x \"bcd bce\" b*", true), ("z* x", false),
    ] {
      #expect(text.fullText.contains(query) == isFound, "\(query)")
    }
  }
}
