import FiefRealm
import Foundation

class Deck: Object {
  @Persisted(primaryKey: true) var id = UUID().uuidString
  @Persisted var cards = List<Card>()
  @Persisted var tags = MutableSet<String>()
  @Persisted var scores = Map<String, Int>()

  convenience init(cards: [Card]) {
    self.init()
    self.cards.append(objectsIn: cards)
  }

  var due: Results<Card> { cards.filter("due < %@", Date()) }
  var learned: Int { cards.where { $0.box >= 4 }.count }
}

class Card: EmbeddedObject {
  @Persisted var front = ""
  @Persisted var due = Date()
  @Persisted var box = 0
}
