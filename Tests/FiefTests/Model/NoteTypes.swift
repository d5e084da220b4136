import Fief
import Foundation

/// Without a primary key.
final class ModelNote: Object {
  @Persisted var text = ""
  @Persisted var number = 0
  @Persisted var next: ModelNote?
}
