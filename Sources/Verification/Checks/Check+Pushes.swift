import Deliveries

/// The queue of pushes, and what devices show.
extension Check {
    static func pushes(_ dialect: Dialect) -> [Check] {
        let first = PushOnlyNumber.all.lowerBound
        let nameless = "'device ' || job.device || ', notification ' || job.notification"
        // A badge's push has a number below zero, and a push-only notification may be gone before its push.
        let isOver = """
            job.notification > 0 AND job.notification < \(first) AND NOT EXISTS (
                SELECT 1 FROM device JOIN notification ON notification.inbox = device.inbox
                WHERE device.row = job.device AND notification.id = job.notification AND NOT is_read)
            """
        let isOfNoDevice = lacks("device", "device.row = job.device")
        let showsAnother = """
            job.content IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM device JOIN notification ON notification.inbox = device.inbox
                WHERE device.row = job.device AND notification.id = job.notification
                    AND notification.content = job.content)
            AND NOT EXISTS (
                SELECT 1 FROM device JOIN push_only ON push_only.inbox = device.inbox
                WHERE device.row = job.device AND push_only.id = job.notification AND push_only.content = job.content)
            """
        func found(_ condition: String) -> String {
            "SELECT \(nameless) FROM \(dialect.jobs) AS job WHERE \(condition)"
        }
        func those(_ condition: String) -> String {
            "WHERE (\(dialect.jobKey)) IN (SELECT \(dialect.jobKey) FROM \(dialect.jobs) AS job WHERE \(condition))"
        }
        return [
            Check(
                "pushes without device", "waiting pushes whose device does not exist", found(isOfNoDevice),
                mends: ["DELETE FROM push_job \(those(isOfNoDevice))"]),
            Check(
                "needless pushes", "waiting pushes of notifications that were read or removed", found(isOver),
                mends: ["DELETE FROM push_job \(those(isOver))"]),
            // Without a content, a push reads its notification's when it leaves.
            Check(
                "contents of pushes", "waiting pushes that would show another notification's text", found(showsAnother),
                mends: ["UPDATE push_job SET content = NULL \(those(showsAnother))"]),
            orphans(
                "push_mark", without: "device", lacks("device", "device.row = push_mark.device"),
                named: "'device ' || push_mark.device"),
            orphans(
                "push_pace", without: "inbox", lacks("inbox", "inbox.id = push_pace.inbox"),
                named: "'inbox ' || push_pace.inbox"),
            // A question outlives its notification: its time still ends.
            orphans(
                "question", without: "inbox", lacks("inbox", "inbox.id = question.inbox"),
                named: "'question ' || question.inbox || '.' || question.notification"),
        ]
    }
}
