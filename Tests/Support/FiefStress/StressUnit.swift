import Fief
import Foundation

/// The objects that one save of the workload writes: some objects of one domain, all or none, made from a number.
package struct StressUnit: Sendable, Hashable {
  /// Numbers of one round of writing start at a multiple of this.
  package static let roundSize = 1_000_000

  package let id: Int

  package init(_ id: Int) { self.id = id }

  package var domain: StressDomain { StressDomain.allCases[id % 3] }

  /// The number of the unit's objects that have a tree of their own.
  package var objectCount: Int { domain == .pets ? 3 : 2 }

  package var userName: String { "user-\(id)" }

  /// New objects; saving the first saves all.
  package func makeObjects() -> [Object] {
    switch domain {
    case .auth:
      let session = StressSession()
      session.token = token
      session.payload = payload
      let user = StressUser()
      user.name = userName
      user.email = id % 2 == 0 ? "\(id)@example.org" : nil
      user.session = session
      session.user = user
      return [user, session]
    case .pets:
      let person = StressPerson()
      person.id = id
      person.name = "person \(id % 97)"
      person.home = StressAddress()
      person.home?.street = "Street \(id)"
      for index in 0..<2 {
        let dog = StressDog()
        dog.id = dogID(index)
        dog.age = index == 0 ? nil : id % 20
        dog.owner = person
        person.dogs.append(dog)
      }
      return [person] + Array(person.dogs)
    case .payments:
      let entry = StressEntry()
      entry.order = id
      entry.amount = Decimal(id) / 100
      let order = StressOrder()
      order.id = id
      order.total = id % 1009
      order.entry = entry
      for index in 0..<2 {
        let line = StressLine()
        line.article = "article \(id).\(index)"
        line.cents = index
        order.lines.append(line)
      }
      return [order, entry]
    }
  }

  /// The object that leads to the others, as the store has it.
  package func find(in stores: StressRepositories) -> Object? {
    switch domain {
    case .auth: stores.auth.object(ofType: StressUser.self, forPrimaryKey: userName)
    case .pets: stores.pets.object(ofType: StressPerson.self, forPrimaryKey: id)
    case .payments: stores.payments.object(ofType: StressOrder.self, forPrimaryKey: id)
    }
  }

  /// The problem of the stored object; nil where it is consistent.
  package func problem(of object: Object) -> String? {
    let isWhole: Bool
    switch object {
    case let user as StressUser:
      isWhole =
        user.email == (id % 2 == 0 ? "\(id)@example.org" : nil) && user.session?.token == token
        && user.session?.payload == payload && user.session?.user?.name == userName
    case let person as StressPerson:
      isWhole =
        person.name == "person \(id % 97)" && person.home?.street == "Street \(id)"
        && person.dogs.map(\.id) == [dogID(0), dogID(1)] && person.dogs.allSatisfy { $0.owner?.id == id }
        && person.dogs.last?.age == id % 20
    case let order as StressOrder:
      isWhole =
        order.total == id % 1009 && order.lines.map(\.cents) == [0, 1]
        && order.lines.first?.article == "article \(id).0" && order.entry?.amount == Decimal(id) / 100
        && order.entry?.order == id
    default: isWhole = false
    }
    return isWhole ? nil : "unit \(id) is not what was saved: \(object)"
  }

  package var token: String { "token-\(id)" }

  private var payload: Data { Data(repeating: UInt8(truncatingIfNeeded: id), count: 40 + id % 60) }

  package func dogID(_ index: Int) -> UUID {
    let bits = UInt64(id) << 8 | UInt64(index)
    return UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012lx", bits)) ?? UUID()
  }
}
