import CLMDB

extension Environment {
  /// Verifies the newest commit of the open store while it is being used.
  ///
  /// It is a long read: pages that commits free meanwhile are kept until it ends.
  /// - Throws: as ``StoreVerifier/verify(directory:)``.
  public func verify() throws(LMDBError) -> VerificationReport {
    var attempt = 0
    while true {
      let reader = try beginRead()
      defer { endRead(reader) }
      guard let transaction = reader.handle, let handle else { throw LMDBError(.environmentClosed) }
      var descriptor: Int32 = -1
      mdb_env_get_fd(handle, &descriptor)
      do throws(LMDBError) {
        return try StoreVerifier.verify(pinned: transaction, descriptor, path: directory)
      } catch {
        // The snapshot's meta page may have been overwritten before it was read.
        attempt += 1
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        guard UInt64(info.me_last_txnid) > reader.id + 1, attempt < 20 else { throw error }
      }
    }
  }
}
