import FiefRealm
import FiefTesting
import Testing

@Suite("Texts and names beyond ASCII as Realm has them")
struct UnicodeBehaviourTests {
  private static let text = "значен™👍☞⎠‱௹♣︎☐▼❒∑⨌⧭иеمرحبا"

  @Test("are kept and asked for", arguments: StoreKind.allCases)
  func textsAndNames(_ kind: StoreKind) throws {
    try withValueStore(kind, [WordHolder.self]) { store in
      try store.write { store.create(WordHolder.self, value: [Self.text]) }
      let words = store.objects(WordHolder.self)
      #expect(words.first?.柱колоéнǢкƱаم👍 == Self.text)
      #expect(words.filter("柱колоéнǢкƱаم👍 == %@", Self.text).first == words.first)
      #expect(words.filter("柱колоéнǢкƱаم👍 != %@", Self.text).isEmpty)
      #expect(words.filter("%K == %@", "柱колоéнǢкƱаم👍", Self.text).count == 1)
      #expect(words.where { $0.柱колоéнǢкƱаم👍 == Self.text }.count == 1)
    }
  }
}
