import JSON

/// A session's limits, sent in `ready`.
package struct LiveLimits: Sendable, Hashable {
    /// The largest frame a client may send.
    package var frameBytes: Int
    /// The number of frames that a client may send within ``framesWindow``.
    package var frames: Int
    package var framesWindow: Duration
    /// The number of sessions that a user may have at once.
    package var sessions: Int
    /// The number of bytes that may wait for a slow reader before its changes are folded into a gap.
    package var queuedBytes: Int
    /// How long a reader may take nothing before the connection is closed.
    package var stallTimeout: Duration

    package init(
        frameBytes: Int = 64 << 10, frames: Int = 100, framesWindow: Duration = .seconds(10), sessions: Int = 16,
        queuedBytes: Int = 64 << 10, stallTimeout: Duration = .seconds(20)
    ) {
        self.frameBytes = frameBytes
        self.frames = frames
        self.framesWindow = framesWindow
        self.sessions = sessions
        self.queuedBytes = queuedBytes
        self.stallTimeout = stallTimeout
    }

    /// Durations are written in milliseconds.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("frameBytes", frameBytes)
            json.member("frames", frames)
            json.member("framesWindow", framesWindow.milliseconds)
            json.member("sessions", sessions)
            json.member("queuedBytes", queuedBytes)
            json.member("stallTimeout", stallTimeout.milliseconds)
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
