// libpq as it is: all of its calls that Belfry makes can be made from Swift.
#ifndef BELFRY_CPOSTGRES_H
#define BELFRY_CPOSTGRES_H

#include <libpq-fe.h>

#endif
