import FiefRealm
import Foundation

class Picture: Object {
  @Persisted var name = ""
}

final class Pager {
  private let results: Results<Picture>
  private(set) var loaded: [Picture] = []
  init(_ results: Results<Picture>) { self.results = results }

  func next(_ size: Int = 20) {
    let end = min(loaded.count + size, results.count)
    loaded += results[loaded.count..<end]
  }

  var newest: [Picture] { Array(results.suffix(5).reversed()) }
  var firstTen: [Picture] { Array(results.prefix(10)) }
  var random: Picture? { results.randomElement() }
}
