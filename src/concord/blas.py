"""One BLAS thread for all matrix work of Concord, whatever the environment says (OPENBLAS_NUM_THREADS and the like).

A BLAS shares a product among as many threads as there are cores, and they wait for each other by spinning. Matrices
as small as ours gain nothing by that, and beside another busy process a product takes ten times as long.

Every module that multiplies matrices, itself or by scipy, calls `one_blas_thread` after its imports. By then numpy and
scipy, which bring a BLAS each, are loaded in that process, and `concord --help`, which multiplies nothing, loads
neither. The environment is left alone, since the systems under test inherit it. The threads of neural models are not
affected. The limit is permanent: threads share it, and one that lifted it after its own product would lift it for a
product of another thread, too. A program that uses Concord as a library can set its own number again, by threadpoolctl.
"""

from threading import Thread

from threadpoolctl import threadpool_limits


def one_blas_thread() -> None:
    """Limit every BLAS that is loaded by now to one thread."""
    # threadpoolctl lets no other thread change a limit while the thread that has set it lives.
    setting = Thread(target=threadpool_limits, kwargs={"limits": 1, "user_api": "blas"})
    setting.start()
    setting.join()
