import Fief
import Foundation

/// A class without a primary key.
final class TypedNote: Object {
  @Persisted var text = ""
  @Persisted var number = 0
  @Persisted var next: TypedNote?
}
