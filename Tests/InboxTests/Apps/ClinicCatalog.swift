/// A catalog that uses everything a catalog can say, for an app that nothing else here knows.
enum ClinicCatalog {
    static let yaml = """
        catalog: clinic
        title: "Clinic"
        app: clinic
        locale: pl
        zone: Europe/Warsaw
        actorName: firstName
        badge: unseen
        actor: [id, firstName]
        members: {look: icon, pictures: samples, amount: count}
        categories:
          visits: {title: "Wizyty", icon: calendar, color: "#0a84ff", order: 1}
          results: {title: "Wyniki", icon: flask, color: teal}
        push:
          when: fallback
          sound: bell.caf
          bodyMax: 120
          grace: 2s
          lifetime: 12h
          digest:
            title: "Klinika"
            body: {one: "{{count}} wiadomość", few: "{{count}} wiadomości", many: "{{count}} wiadomości",
                   other: "{{count}} wiadomości"}
        events:
          visit_moved:
            data: [visit, doctor, relation]
            routes: [{to: patient, type: VISIT_MOVED}, {to: family, type: FAMILY_VISIT_MOVED}]
            sample:
              actor: {id: n1, firstName: Ewa}
              data: {visit: {id: v1, at: "2025-01-10T09:00:00Z"}, doctor: "Dr. Nowak"}
          scans_added:
            routes: [{to: patient, type: SCANS_ADDED}]
            sample:
              actor: {id: n1, firstName: Ewa}
              data: {study: {id: s1}, scans: [{sort: xray, url: "https://img.example/1.png"}]}
        types:
          VISIT_MOVED:
            category: visits
            text: "{{doctor}}: {{date}}, {{time}}"
            preview: {path: visit.note, max: 30, optional: true}
            times:
              date: {path: visit.at, format: MMMMd}
              time: {path: visit.at, format: jm}
            deepLink: {type: visit, visitId: "{{visit.id}}"}
            fields:
              body: ["{{preview}}", "{{doctor}}", ""]
              cta: {label: "Potwierdź", action: confirm, visit: "{{visit.id}}"}
              isConfirmed: {value: visit.isConfirmed, default: false}
            group: "visit:{{visit.id}}"
            groupText: {one: "{{count}} zmiana", few: "{{count}} zmiany", many: "{{count}} zmian",
                        other: "{{count}} zmiany"}
            subjects: {visit: "{{visit.id}}"}
            preferences: {title: "Zmiany wizyt", inApp: on, push: on, required: true}
            push:
              urgency: urgent
              title: "{{doctor}}"
              body: ["{{date}}, {{time}}: {{preview}}", "{{date}}, {{time}}"]
              replaceKey: "visit:{{visit.id}}"
              actions: CONFIRM
              mutableContent: true
              contentAvailable: true
              data:
                type: VISIT_MOVED
                visitId: "{{visit.id}}"
                tags: {value: visit.tags, each: name, join: ",", default: null}
          FAMILY_VISIT_MOVED:
            category: visits
            text: ["{{relation}}: {{doctor}}", "{{doctor}}"]
            preferences: {inApp: on, push: off}
            push:
              title: "{{doctor}}"
              body: "{{actor}}"
              urgency: low
              perHour: 2
              summary:
                title: "Wizyty"
                body: {one: "jedna", few: "{{count}} wizyty", many: "{{count}} wizyt", other: "{{count}} wizyty"}
          SCANS_ADDED:
            category: results
            text: "{{actor}}: {{scans}} ({{count}})"
            batch:
              window: 10m
              by: [study.id]
              count: scans
              kind: sort
              nouns:
                xray: {one: "{{count}} zdjęcie", few: "{{count}} zdjęcia", many: "{{count}} zdjęć",
                       other: "{{count}} zdjęcia"}
                note: {one: "notatka", few: "{{count}} notatki", many: "{{count}} notatek", other: "{{count}} notatki"}
              separators: [", ", " i "]
              samples: {pictures: 2, each: {url: "{{url}}", kind: {value: sort, case: upper}}}
            push: {timing: trailing, title: "Wyniki", body: "{{scans}}", image: {value: cover, default: null}}
        translations:
          en-GB:
            title: "Clinic"
            categories: {visits: {title: "Visits"}}
            types:
              VISIT_MOVED:
                text: "{{doctor}} on {{date}} at {{time}}"
                fields: {cta: {label: "Confirm"}}
                groupText: {one: "a change", other: "{{count}} changes"}
                push: {body: ["On {{date}} at {{time}}: {{preview}}", "On {{date}} at {{time}}"]}
              SCANS_ADDED:
                batch: {nouns: {xray: {one: "an X-ray", other: "{{count}} X-rays"}}, separators: [", ", " and "]}
        """
}
