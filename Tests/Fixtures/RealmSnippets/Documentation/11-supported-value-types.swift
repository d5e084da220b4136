import FiefRealm
import Foundation

class Record: Object {
  @Persisted var text: String
  @Persisted var optText: String?
  @Persisted var blob: Data
  @Persisted var optBlob: Data?
  @Persisted var moment: Date
  @Persisted var optMoment: Date?
  @Persisted var price: Decimal128
  @Persisted var optPrice: Decimal128?
  @Persisted var uuid: UUID
  @Persisted var optUuid: UUID?
  @Persisted var oid: ObjectId
  @Persisted var optOid: ObjectId?
}
