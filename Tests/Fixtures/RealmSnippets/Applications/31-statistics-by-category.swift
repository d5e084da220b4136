import FiefRealm
import Foundation

class Purchase: Object {
  @Persisted var amount = 0.0
  @Persisted var category = ""
  @Persisted var date = Date()
}

struct Statistics {
  let purchases: Results<Purchase>

  var total: Double { purchases.sum(of: \.amount) }
  var average: Double { purchases.average(ofProperty: "amount") ?? 0 }
  var categories: [String] { purchases.distinct(by: ["category"]).map { $0.category } }
  var grouped: [String: [Purchase]] { Dictionary(grouping: purchases, by: \.category) }
  var largest: Purchase? { purchases.max { $0.amount < $1.amount } }

  func total(of category: String) -> Double {
    purchases.filter("category = %@", category).sum(ofProperty: "amount")
  }
}
