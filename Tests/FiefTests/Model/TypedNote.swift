import Fief
import Foundation

/// Without a primary key.
final class TypedNote: Object {
  @Persisted var text = ""
  @Persisted var number = 0
  @Persisted var next: TypedNote?
}
