import Fief
import Foundation
import Testing

@testable import FiefCore

/// Events that are not shown.
@Suite struct QuietEventTests {
  /// Counts the texts that are made from it.
  private struct Counted: CustomNSError {
    let texts: Lock<Int>

    static var errorDomain: String { "counted" }
    var errorCode: Int {
      texts.withLock { $0 += 1 }
      return 7
    }
  }

  @Test func noTextIsMadeOfThem() {
    let written = Lock<[String]>([])
    let events = UnhandledEvents { text in
      written.withLock { $0.append(text) }
      return true
    }
    let texts = Lock(0)
    let event = StoreEvent.failedRead(
      store: "pets",
      type: "Dog",
      property: "name",
      error: Counted(texts: texts)
    )
    events.tell(event)
    let once = texts.withLock { $0 }
    #expect(once > 0 && written.withLock { $0.count } == 1)
    for _ in 2..<10 { events.tell(event) }
    #expect(texts.withLock { $0 } == once && written.withLock { $0.count } == 1)
    events.tell(event)
    #expect(texts.withLock { $0 } > once && written.withLock { $0.count } == 2)
    #expect(written.withLock { $0.last ?? "" }.hasPrefix("fief: pets: a read failed"))
    // Another place is another one.
    events.tell(.failedRead(store: "pets", type: "Dog", property: "age", error: Counted(texts: texts)))
    #expect(written.withLock { $0.count } == 3)
  }
}
