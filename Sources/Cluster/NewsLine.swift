/// The news of one inbox or feed on their way to this node's sessions, put in order.
///
/// News are numbered without holes. They come from several nodes, so they may come in any order, twice or never. The
/// line hands each on once and in order, and knows when one is missing that has to be read.
struct NewsLine<News> {
    /// Beyond so many early news, reading them all is cheaper than keeping them.
    private static var mostEarly: Int { 64 }

    /// The epoch of the numbers; nil for an inbox or feed that did not exist when the line was opened.
    private(set) var epoch: String?
    /// The number of the last news that were handed on, or that sessions have read; nil until the line is open.
    private(set) var told: Int64?
    /// The highest number that is known.
    private var head: Int64 = 0
    /// The number that a look at the database has found, and that nobody has told of since.
    private var untold: Int64?
    /// What was told when a look found less, or another epoch, and the last look that had begun by then.
    private var doubt: (told: Int64, look: Int)?
    /// News behind a hole, in their order.
    private var early: [(number: Int64, news: News)] = []

    /// Whether news are missing.
    var isBehind: Bool { told.map { head > $0 } ?? false }

    /// Begins to hand on what comes after `number`.
    mutating func open(epoch: String?, at number: Int64) {
        (self.epoch, told) = (epoch, number)
        head = max(head, number)
        early.removeAll { $0.number <= number }
    }

    /// Takes in news, and hands on what is in order now.
    mutating func take(_ news: News, _ number: Int64, tell: (News) -> Void) {
        head = max(head, number)
        if let found = untold, number >= found { untold = nil }
        // Whoever opens the line has read them by then, or reads them because of `head`.
        guard let told, number > told else { return }
        if number == told + 1 {
            self.told = number
            tell(news)
            return advance(tell)
        }
        let place = early.firstIndex { $0.number >= number } ?? early.endIndex
        if place < early.endIndex, early[place].number == number { return }
        if early.count == Self.mostEarly { early.removeAll() } else { early.insert((number, news), at: place) }
    }

    /// Notes that the inbox or feed has come to a number.
    ///
    /// - Parameters:
    ///   - look: the one that has found it.
    ///   - last: the number of the last look that has begun.
    ///   - lost: counts what an earlier look has found before anybody told of it, and nobody has told of until now. A
    ///     single look says nothing: the message may be on its way.
    /// - Returns: false if it is another one by now, of the same name: its numbers have begun anew.
    mutating func see(epoch: String?, head: Int64, _ look: NewsLook, last: Int, lost: inout Int) -> Bool {
        guard let told else { return true }
        if let known = epoch, self.epoch == nil { self.epoch = known }
        let isSameEpoch = epoch == self.epoch
        if !isSameEpoch || head < told {
            // News may have come, and the epoch with them, after the look has read. Only a look that begins from now on
            // must find them.
            if let doubt, look.number > doubt.look {
                if !isSameEpoch || head < doubt.told { return false }
                self.doubt = nil
            }
            if doubt == nil { doubt = (told, last) }
            return true
        }
        doubt = nil
        if look.isTold {
            untold = nil
        } else {
            if untold != nil { lost += 1 }
            untold = head > self.head ? head : nil
        }
        self.head = max(self.head, head)
        return true
    }

    /// Takes in what was read: all that came up to `end`.
    mutating func fill(_ found: [(number: Int64, news: News)], upTo end: Int64, tell: (News) -> Void) {
        guard let before = told else { return }
        for (number, news) in found where number > before { tell(news) }
        told = max(before, end)
        head = max(head, end)
        early.removeAll { $0.number <= end }
        advance(tell)
    }

    private mutating func advance(_ tell: (News) -> Void) {
        while let told, let first = early.first, first.number == told + 1 {
            self.told = first.number
            tell(early.removeFirst().news)
        }
    }
}
