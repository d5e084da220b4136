// What each peer can do; the driver asks for it row by row.
#pragma once
#include "common.hpp"

struct Cnt { uint64_t count = 0, sum = 0; };
// An object, and what is another number where it has changed.
struct RowStamp { int64_t id; uint64_t stamp; };
struct PageCur { double createdAt; int64_t id; };

enum Schema { PLAIN = 0, INDEXED = 1, REL = 2 };

struct Peer {
    virtual ~Peer() {}
    virtual const char* name() = 0;
    virtual std::string version() = 0;
    // Commits do not wait for the disk; to be set before a store is opened.
    bool isVolatile = false;
    virtual void open(const std::string& dir, Schema s, bool create) = 0;
    virtual void close() = 0;

    // A: one transaction, durable before it returns.
    virtual void bulkInsert(const std::vector<Person>& v) = 0;
    // The same without keeping the objects, for the row of the peak memory.
    virtual void bulkInsertStream(int64_t from, int64_t n) = 0;
    virtual void insertRel(int64_t n) = 0;             // n persons and 3n dogs, one transaction
    virtual void insertOneCommit(const Person& p) = 0; // B

    // B2: a context for each thread.
    virtual void* threadBegin() { return nullptr; }
    virtual void threadInsert(void* ctx, const Person& p) = 0;
    virtual void threadEnd(void*) {}
    // B2g: threads that share what they can.
    virtual bool hasGroup() { return false; }
    virtual void groupInsert(const Person&) {}

    virtual uint64_t pointReads(const std::vector<int64_t>& ids) = 0;   // C
    virtual uint64_t pointReadsTx(const std::vector<int64_t>& ids) = 0; // C_tx
    virtual Cnt scan(bool full) = 0;                   // D; full: the digest of every byte
    virtual int64_t sumAge() = 0;                      // D2
    virtual Cnt filterE() = 0;                         // E, F
    virtual Cnt filterAgeEq(int64_t age) = 0;          // E2, F2
    virtual Cnt filterAgeRange(int64_t lo, int64_t hi) = 0; // F3
    virtual int64_t greatestAge() = 0;                 // F_max
    virtual uint64_t sortTop(int n) = 0;               // G
    virtual void updateBalance(const std::vector<int64_t>& ids) = 0; // H, Bu: balance = id * 0.25
    virtual void setBalance(const std::vector<int64_t>& ids, double balance) = 0; // W, Diff_same
    virtual void updateAge(const std::vector<int64_t>& ids) = 0;     // H_idx: age = (id * 7) % 100
    virtual void addBalance(const std::vector<int64_t>& ids, double amount) = 0; // Batch, Inc8: one transaction
    virtual void addBalanceBelow(int64_t age, double amount) = 0;    // H_bulk: of all that are younger
    virtual void threadAddBalance(void*, int64_t id, double amount) { addBalance({ id }, amount); } // Inc8
    virtual void deleteMany(const std::vector<int64_t>& ids) = 0;    // I
    virtual uint64_t count() = 0;                      // J
    virtual uint64_t page(const PageCur& c, int n, uint64_t acc, int* got) = 0; // K
    virtual int64_t relationSum(const std::vector<int64_t>& ids) = 0; // L
    virtual bool readOne(int64_t id, Person& p) = 0;   // M

    // W: has commits note the observed objects among those that they change, and hands them to the observers.
    virtual void observe(const std::vector<int64_t>&) {}
    virtual void tell() {}
    // Diff: all objects by name or age, and key.
    virtual bool hasOrder() { return false; }
    virtual void order(bool /* byName */, std::vector<RowStamp>&) {}

    // M_50: a store of that many tables, and one object of the first; M_mem: one in memory.
    virtual bool hasManyTables() { return false; }
    virtual void openMany(const std::string&, int, bool) {}
    virtual int64_t readOneOfMany() { return 0; }
};
Peer* make_peer();
