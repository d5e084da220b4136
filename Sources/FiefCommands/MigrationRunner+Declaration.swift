import FiefConsole

extension MigrationRunner {
  /// The commands, their options and their help.
  var declaration: CommandLineTool {
    CommandLineTool(
      name: name,
      summary: "maintains the stores of an application and migrates them",
      discussion: [
        "The application keeps its data in stores: \(domains.map(\.name).joined(separator: ", ")). Each has a schema "
          + "version, and the program declares one. A store at an older version is migrated in one commit, so "
          + "that it always has either the old version or the new version, intact.",
        "Backups are compacted copies that were checked and synced to disk, in "
          + "\(backups.map { "\($0)/STORE" } ?? "DIR/.backups/STORE") for stores in DIR; each is a complete "
          + "store. The newest \(backupsKept) of each store are kept.",
        "An encrypted store is opened with the key of its repository. If the repository has no key, use a key file (--key-file), an "
          + "environment variable (--key-env), or enter a passphrase at the terminal.",
      ],
      commands: [statusCommand, planCommand, migrateCommand, rollbackCommand, verifyCommand]
        + [schemaCommand, diffCommand, compactCommand, backupCommand, restoreCommand],
      options: [
        OptionDeclaration(
          "directory",
          short: "d",
          value: "DIR",
          completion: .directories,
          "The directory of the stores, instead of the application's."
        ),
        OptionDeclaration(
          "only",
          value: "NAME",
          isRepeatable: true,
          completion: .words(domains.map(\.name)),
          "Only this store; can be repeated."
        ),
        OptionDeclaration(
          "backups",
          value: "DIR",
          completion: .directories,
          "The directory for backups, instead of .backups beside the stores."
        ),
        OptionDeclaration("json", "Writes one JSON document to standard output and nothing else."),
        OptionDeclaration("yes", short: "y", "Does not ask; answers yes to every question."),
        OptionDeclaration(
          "exit-zero",
          "Exits with status 0 instead of 3 if there was nothing to do, for scripts with 'set -e'."
        ),
      ] + StoreKeyOptions.declarations,
      examples: [
        .init("\(name) status", "Which stores exist and what each needs."),
        .init("\(name) plan --rehearse", "What a migration would do, tried on copies."),
        .init(
          "\(name) migrate --yes --exit-zero",
          "In a deployment script, while the application is stopped."
        ),
        .init(
          "\(name) rollback --only \(domains.first?.name ?? "STORE")",
          "Undoes the last migration."
        ),
      ],
      exitStatuses: [
        (.done, "Done: the command succeeded."),
        (.failed, "Failed: the store is unchanged. Other stores may be done."),
        (
          .nothingToDo,
          "Nothing to do. Scripts can tell it from 0; --exit-zero makes it 0 for scripts that only "
            + "need the stores to be up to date."
        ),
        (
          .refused,
          "Refused, before anything was changed: not confirmed, not enough space, in use by a process, or a "
            + "store that this program must not touch, such as a newer one."
        ),
        (.damaged, "Damaged: the files of a store have faults."),
        (.usage, "The command line is wrong."),
      ]
    )
  }

  private var keepOption: OptionDeclaration {
    OptionDeclaration(
      "keep",
      value: "N",
      "How many backups of each store are kept, including this one; \(backupsKept) by default."
    )
  }

  private var statusCommand: CommandDeclaration {
    CommandDeclaration(
      "status",
      "Shows each store: its version, its size and the work to be done",
      discussion: [
        "Changes nothing. The state of a store is 'up to date', 'needs a migration', 'not created yet' (the "
          + "application creates it at its first use), 'newer than this program', 'classes changed without a new "
          + "version', 'in memory', 'damaged' or 'cannot be opened'. 'in use' means that a process has it open.",
        "The status is 0 if every store can be used or migrated, 4 if this program must not touch a store.",
      ],
      options: [OptionDeclaration("usage", "Shows reads and writes, if a store keeps usage statistics.")],
      examples: [.init("\(name) status --json", "The same, for a monitoring script.")]
    )
  }

  private var planCommand: CommandDeclaration {
    CommandDeclaration(
      "plan",
      "Shows what a migration would do, without doing it",
      discussion: [
        "Lists the steps that each store lacks, the differences between the store and the program's classes in "
          + "words, the number of objects that they concern, and the space needed and available.",
        "Changes nothing. With --rehearse the migration runs on a compacted copy beside the store, which is "
          + "timed, checked and removed. This finds data that the migration cannot convert, and takes as long and "
          + "as much space as the migration.",
        "The status is 0 if there is something to migrate and 3 if there is not.",
      ],
      options: [OptionDeclaration("rehearse", "Runs the migration on a copy, and times it.")],
      examples: [
        .init("\(name) plan", "What would happen."),
        .init("\(name) plan --rehearse --only \(domains.first?.name ?? "STORE")", "How long it takes."),
      ]
    )
  }

  private var migrateCommand: CommandDeclaration {
    CommandDeclaration(
      "migrate",
      "Migrates every store to the program's version",
      discussion: [
        "Each store that is older than the program is backed up and then migrated in one commit. The stores "
          + "are independent: if one fails, it stays unchanged and the others are migrated. A store that does not "
          + "exist is left to the application.",
        "Stop the application first. A store in use by a process is refused, because data that the process "
          + "writes between the backup and the migration would be missing in the backup; --even-if-in-use continues "
          + "anyway. Asks before it begins; without a terminal it needs --yes.",
        "An unencrypted store whose repository has a key is refused. In the release that introduces encryption, --encrypt encrypts it "
          + "with that key. Use it only once: it accepts any unencrypted store. The backup from before is unencrypted.",
      ],
      options: [
        OptionDeclaration("no-backup", "Makes no backup first."),
        OptionDeclaration("even-if-in-use", "Also migrates stores that a process has open."),
        OptionDeclaration("encrypt", "Encrypts unencrypted stores whose repositories have a key."),
        keepOption,
      ],
      examples: [
        .init("\(name) migrate", "Asks, then migrates."),
        .init("\(name) migrate --yes --exit-zero --json", "In a script."),
      ]
    )
  }

  private var rollbackCommand: CommandDeclaration {
    CommandDeclaration(
      "rollback",
      "Restores a backup of an older version",
      discussion: [
        "Replaces the store with the newest backup that has an older version than the store, in one step: "
          + "this undoes the last migration. A damaged store gets its newest backup. Data that was "
          + "written since the backup is no longer in the store; the former store is kept as a backup "
          + "whose name ends with -replaced, so that nothing is lost.",
        "Stores without such a backup stay unchanged. Stop the application first: a store that a process has "
          + "open is refused. Start the older release of the application afterwards, because the newer one would "
          + "migrate the store again.",
      ],
      options: [
        OptionDeclaration(
          "to",
          value: "BACKUP",
          "The backup: the beginning of its name, or v and a version for the newest backup of that version."
        ),
        keepOption,
      ],
      examples: [
        .init("\(name) rollback", "Undoes the last migration of every store."),
        .init(
          "\(name) rollback --only \(domains.first?.name ?? "STORE") --to v1",
          "To the newest backup of version 1."
        ),
      ]
    )
  }

  private var verifyCommand: CommandDeclaration {
    CommandDeclaration(
      "verify",
      "Checks each store for damage",
      discussion: [
        "Reads every page of the file, every record with its checksum, every index, every link and its "
          + "backlink. Changes nothing; the stores may be in use. The status is 5 if anything is wrong."
      ],
      options: [OptionDeclaration("quick", short: "q", "Only the structure of the file, no records.")]
    )
  }

  private var schemaCommand: CommandDeclaration {
    CommandDeclaration(
      "schema",
      "Shows the types and properties, as they are declared and as they are stored",
      discussion: [
        "If both are the same, they are shown once. '*' marks the primary key, '+' an index. Changes nothing."
      ],
      options: [
        OptionDeclaration("declared", "Only the program's declarations."),
        OptionDeclaration("stored", "Only the stores' schemas."),
      ]
    )
  }

  private var diffCommand: CommandDeclaration {
    CommandDeclaration(
      "diff",
      "Shows how each store differs from the program's declarations",
      discussion: ["Changes nothing. The status is 0 if there are differences and 3 if there are not."]
    )
  }

  private var compactCommand: CommandDeclaration {
    CommandDeclaration(
      "compact",
      "Reduces each store's file to the size of its contents",
      discussion: [
        "A copy without unused pages replaces the file in one step. It needs as much space as the contents. "
          + "Stop the application first: a store that a process has open is refused."
      ]
    )
  }

  private var backupCommand: CommandDeclaration {
    CommandDeclaration(
      "backup",
      "Makes a backup of each store",
      discussion: [
        "The copy is compacted, checked and synced to disk before it is named. The stores may be in use: a "
          + "backup contains every commit before its start. The oldest backups beyond --keep are removed."
      ],
      options: [keepOption]
    )
  }

  private var restoreCommand: CommandDeclaration {
    CommandDeclaration(
      "restore",
      "Replaces a store with a backup or any copy of a store",
      discussion: [
        "FROM is the directory of a copy, or the name of a backup. The store that FROM belongs to is replaced; "
          + "name it with --only if it is unclear. FROM stays unchanged. The copy is checked before it "
          + "replaces the store in one step; the former store is kept as a backup.",
        "Stop the application first: a store that a process has open is refused.",
      ],
      positionals: [
        PositionalDeclaration("FROM", "the directory of a copy, or a backup's name", completion: .directories)
      ],
      options: [keepOption],
      examples: [
        .init(
          "\(name) restore /mnt/copies/\(domains.first?.name ?? "STORE") --only \(domains.first?.name ?? "STORE")",
          "From another disk."
        )
      ]
    )
  }
}
