/// Encodes objects in the caller's isolation, and submits them to the write queue.
package enum Saving {
  /// Encodes objects and the objects to which they link.
  ///
  /// - Parameter encode: encodes the content of the graph; nil to encode `objects`.
  /// - Throws: ``FiefError``, with nothing written; ``RowIDsUsedUp`` if ids have to be reserved first.
  static func graph(
    of objects: [Object],
    _ options: SaveOptions,
    _ given: ProvisionalRowIDs,
    claims: RowIDClaims? = nil,
    marksAtOnce: Bool,
    in core: StoreCore,
    _ encode: ((ObjectGraph) throws -> Void)? = nil
  ) throws -> ObjectGraph {
    // In a write nothing else can reserve ids, so the save gets its ids from the block of the write.
    let scope = claims == nil ? nil : core.activeWrite
    var own: RowIDClaims?
    let graph = ObjectGraph(store: core, options, given: given, marksAtOnce: marksAtOnce) { table in
      if let id = core.rowIDs.next(for: table.entry.id) { return id }
      guard let scope, let claims else { throw RowIDsUsedUp(table: table) }
      own = claims
      return try scope.rowIDs.claim(table, for: claims)
    }
    do {
      if let encode { try encode(graph) } else { try graph.encode(objects) }
    } catch {
      graph.unmark()
      throw error
    }
    if let own { graph.changes.claims.append(own) }
    for claim in try core.claimedRowIDs.claims(on: given.shared, in: core) where claim !== own {
      graph.changes.claims.append(claim)
    }
    return graph
  }

  struct RowIDsUsedUp: Error {
    let table: Table
  }

  static func save(_ objects: [Object], _ options: SaveOptions, in core: StoreCore) throws {
    let given = ProvisionalRowIDs()
    // The graph itself does not keep the objects alive.
    defer { withExtendedLifetime(objects) {} }
    do {
      let graph = try graphReserving(objects, options, given, marksAtOnce: true, in: core)
      guard !graph.changes.isEmpty else { return }
      do {
        graph.takeStamps(try core.submit(.changes(graph.changes), bytes: graph.changes.bytes.count))
      } catch {
        graph.unmark()
        throw error
      }
      given.confirm()
      graph.markParts()
      graph.readDerived()
    } catch {
      given.takeBack()
      throw error
    }
  }

  package static func graphReserving(
    _ objects: [Object],
    _ options: SaveOptions,
    _ given: ProvisionalRowIDs,
    marksAtOnce: Bool,
    isUrgent: Bool = false,
    in core: StoreCore,
    _ encode: ((ObjectGraph) throws -> Void)? = nil
  ) throws -> ObjectGraph {
    let claims = isUrgent && core.activeWrite != nil ? RowIDClaims(core.claimedRowIDs) : nil
    // Objects keep their ids from one block while the next block is reserved, so this loop ends even if there
    // are more objects than ids in a block.
    while true {
      do {
        return try graph(
          of: objects,
          options,
          given,
          claims: claims,
          marksAtOnce: marksAtOnce,
          in: core,
          encode
        )
      } catch let usedUp as RowIDsUsedUp {
        let count = idsToReserve(in: usedUp.table, for: objects, core)
        let work = WriteWork.reserveRowIDs(usedUp.table, count: count)
        let receipt = isUrgent ? try core.performAtOnce(work) : try core.submit(work)
        if let ids = receipt.rowIDs { core.rowIDs.add(ids, for: usedUp.table.entry.id) }
      } catch {
        throw core.described(error)
      }
    }
  }

  /// Returns the size of a block, or the number of ids that the save is known to need if it is larger. Each
  /// further reservation encodes the save again.
  private static func idsToReserve(in table: Table, for objects: [Object], _ core: StoreCore) -> Int64 {
    let needed = objects.count { $0._rowID == 0 && Swift.type(of: $0).className() == table.name }
    return max(core.rowIDs.blockSize(for: table.entry.id), Int64(needed))
  }

  nonisolated(nonsending)
    package static func save(
      _ objects: [Object],
      _ options: SaveOptions,
      in core: StoreCore
    ) async throws
  {
    let given = ProvisionalRowIDs()
    do {
      let graph = try await graphReserving(objects, options, given, in: core)
      guard !graph.changes.isEmpty else { return }
      graph.markAsSaving()
      let receipt: WriteReceipt
      do {
        receipt = try await core.submit(.changes(graph.changes), bytes: graph.changes.bytes.count)
      } catch {
        graph.markAsNotSaved()
        throw error
      }
      given.confirm()
      graph.markAsSaved()
      graph.takeStamps(receipt)
      graph.readDerived()
    } catch {
      given.takeBack()
      throw error
    }
  }

  nonisolated(nonsending)
    private static func graphReserving(
      _ objects: [Object],
      _ options: SaveOptions,
      _ given: ProvisionalRowIDs,
      in core: StoreCore
    ) async throws -> ObjectGraph
  {
    while true {
      do {
        let graph = try graph(of: objects, options, given, marksAtOnce: false, in: core)
        // From now on only the graph keeps the objects alive.
        graph.holdObjects()
        return graph
      } catch let usedUp as RowIDsUsedUp {
        let table = usedUp.table
        let count = idsToReserve(in: table, for: objects, core)
        let receipt = try await core.submit(.reserveRowIDs(table, count: count))
        if let ids = receipt.rowIDs { core.rowIDs.add(ids, for: table.entry.id) }
      } catch {
        throw core.described(error)
      }
    }
  }
}
