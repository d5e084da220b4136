import FiefRealm
import Foundation

class Card: Object, Identifiable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var front = ""
}

class Note: Object, ObjectKeyIdentifiable {
  @Persisted var text = ""
}

class Line: EmbeddedObject, ObjectKeyIdentifiable {
  @Persisted var text = ""
}

func identifiers(_ cards: Results<Card>, _ notes: [Note]) -> [AnyHashable] {
  cards.map { AnyHashable($0.id) } + notes.map { AnyHashable($0.id) }
}
