import FiefRealm
import Foundation

class Word: Object {
  @Persisted(primaryKey: true) var text = ""
  @Persisted(indexed: true) var language = ""
}

func importWords(_ words: [String], language: String) throws {
  let realm = try Realm()
  for start in stride(from: 0, to: words.count, by: 1000) {
    try autoreleasepool {
      try realm.write {
        for word in words[start..<min(start + 1000, words.count)] {
          realm.create(Word.self, value: [word, language], update: .modified)
        }
      }
    }
  }
}
