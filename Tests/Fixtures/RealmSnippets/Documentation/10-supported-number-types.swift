import FiefRealm
import Foundation

class Measurement: Object {
  @Persisted var flag: Bool
  @Persisted var optFlag: Bool?
  @Persisted var tiny: Int8
  @Persisted var small: Int16
  @Persisted var medium: Int32
  @Persisted var large: Int64
  @Persisted var count: Int
  @Persisted var optCount: Int?
  @Persisted var ratio: Float
  @Persisted var optRatio: Float?
  @Persisted var exact: Double
  @Persisted var optExact: Double?
}
