import Fief
import Foundation

enum LossBefore {
  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var price = 0
    @Persisted var rate: Double = 0
    @Persisted var weight: Float = 0
    @Persisted var amount = Decimal()
    @Persisted var code = UUID()
    @Persisted var token = ObjectId()
    @Persisted(indexed: true) var number = 0
    @Persisted var optional: Int?
    @Persisted var list: List<Int>
    @Persisted var set: MutableSet<UUID>
    @Persisted var map: Map<String, Double?>
    @Persisted var seat: Seat?
  }

  final class Seat: EmbeddedObject {
    @Persisted var row = 0
  }

  final class Holder: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var tickets: List<Ticket>
  }
}

/// Every value can be expressed.
enum LossConverted {
  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var price = Decimal()
    @Persisted var rate = Decimal()
    @Persisted var weight = Decimal()
    @Persisted var amount = ""
    @Persisted var code = ""
    @Persisted var token: String?
    @Persisted(indexed: true) var number = ""
    @Persisted var optional: String?
    @Persisted var list: List<String>
    @Persisted var set: MutableSet<String>
    @Persisted var map: Map<String, String?>
    @Persisted var seat: Seat?
  }

  final class Seat: EmbeddedObject {
    @Persisted var row = ""
  }

  final class Holder: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var tickets: List<Ticket>
  }
}

/// No value can.
enum LossDropped {
  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var price = false
    @Persisted var rate = 0
    @Persisted var weight: Float = 0
    @Persisted var amount = Decimal()
    @Persisted var code = UUID()
    @Persisted var token = ObjectId()
    @Persisted(indexed: true) var number = 0
    @Persisted var optional: Date?
    @Persisted var list: MutableSet<Int>
    @Persisted var set: MutableSet<UUID>
    @Persisted var map: Map<String, Double?>
    @Persisted var seat: Seat?
  }

  final class Seat: EmbeddedObject {
    @Persisted var row: Date?
  }

  final class Holder: Object {
    @Persisted(primaryKey: true) var name = 0
    @Persisted var tickets: List<Ticket>
  }
}
