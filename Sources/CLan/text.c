#define _GNU_SOURCE 1
#include "CLan.h"

#include <libintl.h>
#include <locale.h>
#include <stdlib.h>

int lan_locale_begin(void) {
  return setlocale(LC_CTYPE, "") != 0 && setlocale(LC_MESSAGES, "") != 0;
}

int lan_locale_fall_back(void) {
  return setlocale(LC_CTYPE, "C.UTF-8") != 0 && setlocale(LC_MESSAGES, "C.UTF-8") != 0;
}

int lan_catalog_open(const char *domain, const char *folder) {
  return bindtextdomain(domain, folder) != 0 && bind_textdomain_codeset(domain, "UTF-8") != 0;
}

const char *lan_catalog_text(const char *domain, const char *text) {
  return dgettext(domain, text);
}

const char *lan_trusted_variable(const char *name) { return secure_getenv(name); }
