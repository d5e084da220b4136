import FiefRealm
import Foundation

class Order: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var state = "new"
}

protocol OrdersDelegate: AnyObject {
  func orderChanged(_ order: Order)
  func orderRemoved()
}

final class OrderMonitor {
  weak var delegate: OrdersDelegate?
  private var tokens: [NotificationToken] = []

  func monitor(_ order: Order) {
    let token = order.observe { [weak self] (change: ObjectChange<Order>) in
      switch change {
      case .change(let order, _): self?.delegate?.orderChanged(order)
      case .deleted: self?.delegate?.orderRemoved()
      case .error(let error): print(error)
      }
    }
    tokens.append(token)
  }

  deinit { tokens.forEach { $0.invalidate() } }
}
