import FiefRealm
import Foundation

class Product: Object {
  @Persisted(primaryKey: true) var sku = ""
  @Persisted var name = ""
}

struct ProductDTO: Decodable {
  let sku: String
  let name: String
}

final class ProductImporter {
  private let queue = DispatchQueue(label: "import", qos: .utility)

  func run(_ items: [ProductDTO], completion: @escaping @Sendable (Result<Int, Error>) -> Void) {
    queue.async {
      autoreleasepool {
        do {
          let realm = try Realm()
          try realm.write {
            items.forEach { realm.create(Product.self, value: ["sku": $0.sku, "name": $0.name], update: .modified) }
          }
          DispatchQueue.main.async { completion(.success(items.count)) }
        } catch {
          DispatchQueue.main.async { completion(.failure(error)) }
        }
      }
    }
  }
}
